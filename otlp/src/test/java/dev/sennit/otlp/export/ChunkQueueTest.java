/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.sennit.testing.ChildProcess;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The queue on disk: its order, its bound, and that nothing is lost or halved by dying. */
class ChunkQueueTest {
  private static final long ROOMY = 1L << 30;

  @TempDir private Path folder;
  private final List<String> log = new ArrayList<>();
  private final Tally tally = new Tally(log::add);

  private ChunkQueue open(long bound) throws IOException {
    return ChunkQueue.open(folder.resolve("queue"), bound, tally);
  }

  private ChildProcess child(int first, int count) {
    return child(folder.resolve("queue"), first, count);
  }

  private static ChildProcess child(Path place, int first, int count) {
    return ChildProcess.java(
        QueueProgram.class, place.toString(), Integer.toString(first), Integer.toString(count));
  }

  private static void put(ChunkQueue queue, int... numbers) {
    for (int number : numbers) {
      queue.put(queue.nextName(), Messages.numbered(number));
    }
  }

  /** Takes everything out, oldest first, and decodes it with the official classes. */
  private static List<Integer> drain(ChunkQueue queue) throws IOException {
    List<Integer> numbers = new ArrayList<>();
    for (@Nullable String name = queue.take(); name != null; name = queue.take()) {
      byte @Nullable [] message = queue.read(name);
      assertThat(message).isNotNull();
      if (message != null) {
        numbers.add(Messages.numberOf(ExportProfilesServiceRequest.parseFrom(message)));
      }
      queue.remove(name);
    }
    return numbers;
  }

  private List<Path> files(String ending) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> file.toString().endsWith(ending)).toList();
    }
  }

  private long dropped(DropReason reason) {
    return tally.counters(0, 0).dropped().getOrDefault(reason, -1L);
  }

  @Test
  void messagesComeOutInTheOrderInWhichTheyWentIn() throws IOException {
    ChunkQueue queue = open(ROOMY);
    put(queue, 0, 1, 2, 3, 4);
    assertThat(queue.size()).isEqualTo(5);
    assertThat(queue.bytes()).isEqualTo(5 * ChunkQueue.BLOCK);
    assertThat(drain(queue)).containsExactly(0, 1, 2, 3, 4);
    assertThat(queue.bytes()).isZero();
    queue.close();
    assertThat(folder.resolve("queue")).isEmptyDirectory();
  }

  @Test
  void aMessageThatGotItsPlaceEarlierStandsBeforeTheOthers() throws IOException {
    ChunkQueue queue = open(ROOMY);
    String early = queue.nextName();
    put(queue, 1, 2);
    queue.put(early, Messages.numbered(0));
    assertThat(drain(queue)).containsExactly(0, 1, 2);
    queue.close();
  }

  @Test
  void aMessageMayBeMovedToTheEnd() throws IOException {
    ChunkQueue queue = open(ROOMY);
    String first = queue.nextName();
    queue.put(first, Messages.numbered(0));
    put(queue, 1);
    queue.moveToEnd(first);
    assertThat(drain(queue)).containsExactly(1, 0);
    queue.close();
  }

  @Test
  void theOldestMakeRoomButNotTheOneThatIsBeingSent() throws IOException {
    ChunkQueue queue = open(3 * ChunkQueue.BLOCK);
    put(queue, 0, 1, 2);
    assertThat(queue.take()).isNotNull();
    put(queue, 3, 4);
    assertThat(drain(queue)).containsExactly(0, 3, 4);
    assertThat(dropped(DropReason.QUEUE_FULL)).isEqualTo(2);
    assertThat(log).as("said once").hasSize(1);
    queue.close();
  }

  @Test
  void aMessageLargerThanTheBoundDropsNoneButItself() throws IOException {
    ChunkQueue queue = open(3 * ChunkQueue.BLOCK);
    put(queue, 0, 1);
    queue.put(queue.nextName(), Messages.numbered(2, 20_000));
    assertThat(drain(queue)).containsExactly(0, 1);
    assertThat(dropped(DropReason.QUEUE_FULL)).isEqualTo(1);
    queue.close();
  }

  @Test
  void anOldMessageIsItselfTheOneToDrop() throws IOException {
    ChunkQueue queue = open(2 * ChunkQueue.BLOCK);
    String early = queue.nextName();
    put(queue, 1, 2);
    queue.put(early, Messages.numbered(0));
    assertThat(drain(queue)).containsExactly(1, 2);
    queue.close();
  }

  @Test
  void onlyTheUserCanReadWhatWaits() throws IOException {
    ChunkQueue queue = open(ROOMY);
    put(queue, 0);
    Path file = files(InstanceFolder.MESSAGE).getFirst();
    assertThat(permissions(file)).isEqualTo("rw-------");
    assertThat(permissions(file.resolveSibling("lock"))).isEqualTo("rw-------");
    assertThat(permissions(file.resolveSibling("."))).isEqualTo("rwx------");
    assertThat(permissions(folder.resolve("queue"))).isEqualTo("rwx------");
    queue.close();
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void aFolderThatOthersMayWriteToIsRefused() throws IOException {
    Path queue = Files.createDirectory(folder.resolve("queue"));
    Files.setPosixFilePermissions(queue, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThatIOException()
        .isThrownBy(() -> open(ROOMY))
        .withMessageContaining(queue.toString())
        .withMessageContaining("others may write");
    assertThat(queue).isEmptyDirectory();
  }

  @Test
  void aProcessThatIsKilledLosesNothingThatWasPutAndLeavesNothingHalf() throws IOException {
    int killed = 0;
    int put = 0;
    for (int round = 0; round < 4; round++) {
      int first = 1000 * round;
      int last = first + 20 + 17 * round;
      ChildProcess child = child(first, 1000);
      try (child) {
        child.expect("put " + last);
      }
      int more = (int) child.readAll().stream().filter(line -> line.startsWith("put ")).count();
      killed += last + more < first + 999 ? 1 : 0;
      put += last - first + 1 + more;
    }
    assertThat(killed).isEqualTo(4);
    ChunkQueue queue = open(ROOMY);
    assertThat(files(InstanceFolder.INCOMPLETE)).isEmpty();
    List<Integer> found = drain(queue);
    // What was written and not yet reported when the process died is there as well.
    assertThat(found).isSorted().doesNotHaveDuplicates().hasSizeBetween(put, put + 4);
    queue.close();
    assertThat(folder.resolve("queue")).isEmptyDirectory();
  }

  @Test
  void whatALivingProcessHasIsNotTakenFromIt() throws IOException {
    ChunkQueue queue = open(ROOMY);
    try (ChildProcess child = child(0, 5)) {
      child.expect("put 4");
      put(queue, 100);
      queue.adopt();
      assertThat(queue.size()).isEqualTo(1);
    }
    queue.adopt();
    assertThat(drain(queue)).containsExactly(0, 1, 2, 3, 4, 100);
    queue.close();
  }

  @Test
  void whatAProcessLeftInOrderIsTakenToo() throws IOException {
    try (ChildProcess child = child(0, 5)) {
      child.expect("put 4");
      child.endInput();
      assertThat(child.waitFor()).isZero();
    }
    ChunkQueue queue = open(ROOMY);
    assertThat(drain(queue)).containsExactly(0, 1, 2, 3, 4);
    queue.close();
  }

  @Test
  void ofSeveralHeirsEachMessageGoesToOne() throws IOException {
    try (ChildProcess dead = child(0, 200)) {
      dead.expect("put 199");
    }
    List<ChildProcess> heirs = IntStream.range(0, 3).mapToObj(i -> child(0, 0)).toList();
    int found = 0;
    for (ChildProcess heir : heirs) {
      found += Integer.parseInt(heir.expect("opened "));
    }
    assertThat(found).isLessThanOrEqualTo(200);
    heirs.forEach(ChildProcess::close);
    ChunkQueue queue = open(ROOMY);
    assertThat(drain(queue)).isEqualTo(IntStream.range(0, 200).boxed().toList());
    queue.close();
  }

  @Test
  void adoptionKeepsTheBound() throws IOException {
    try (ChildProcess dead = child(0, 5)) {
      dead.expect("put 4");
    }
    long newest = Files.size(files(InstanceFolder.MESSAGE).stream().sorted().toList().getLast());
    ChunkQueue queue = open((newest / ChunkQueue.BLOCK + 1) * ChunkQueue.BLOCK);
    assertThat(queue.size()).isLessThan(5);
    assertThat(dropped(DropReason.QUEUE_FULL)).isEqualTo(5 - queue.size());
    assertThat(files(InstanceFolder.MESSAGE)).hasSize(queue.size());
    queue.close();
  }

  @Test
  void aFolderThatSomebodyCleanedAwayIsMadeAnew() throws IOException {
    ChunkQueue queue = open(ROOMY);
    put(queue, 0);
    Files.delete(files(InstanceFolder.MESSAGE).getFirst().resolveSibling("lock"));
    put(queue, 1);
    assertThat(drain(queue)).containsExactly(0, 1);
    try (Stream<Path> all = Files.walk(folder.resolve("queue"))) {
      all.sorted((a, b) -> b.compareTo(a))
          .forEach(file -> assertThat(file.toFile().delete()).isTrue());
    }
    put(queue, 2);
    assertThat(drain(queue)).containsExactly(2);
    queue.close();
  }

  @Test
  void aFileThatIsGoneCountsAsDropped() throws IOException {
    ChunkQueue queue = open(ROOMY);
    put(queue, 0, 1);
    Files.delete(files(InstanceFolder.MESSAGE).stream().sorted().toList().getFirst());
    String name = queue.take();
    assertThat(name).isNotNull();
    assertThat(queue.read(String.valueOf(name))).isNull();
    assertThat(drain(queue)).containsExactly(1);
    assertThat(dropped(DropReason.DISK_ERROR)).isEqualTo(1);
    queue.close();
  }

  @Test
  void aVolumeForAllMayBeNamedButIsNotTheUsualPlace() throws IOException {
    Path volume = Files.createDirectory(folder.resolve("volume"));
    Files.setPosixFilePermissions(volume, PosixFilePermissions.fromString("rwxrwxrwx"));
    QueueFolders.prepare(volume, true);
    assertThatIOException()
        .isThrownBy(() -> QueueFolders.prepare(volume, false))
        .withMessageContaining(volume.toString());
    assertThat(volume).isEmptyDirectory();
  }

  @Test
  void whatNobodySendsForAWeekIsDeleted() throws IOException {
    ExportSettings settings = new TestSettings().read();
    ExportSettings others =
        new TestSettings().property("sennit.otlp.headers", "x-tenant=blue").read();
    Path place = QueueFolders.of(folder, settings);
    assertThat(QueueFolders.of(folder, others)).isNotEqualTo(place);
    try (ChildProcess dead = child(place, 0, 3)) {
      dead.expect("put 2");
    }
    QueueFolders.removeForgotten(folder);
    assertThat(files(InstanceFolder.MESSAGE)).hasSize(3);
    FileTime old = FileTime.from(Instant.now().minus(8, ChronoUnit.DAYS));
    for (Path file : files(InstanceFolder.MESSAGE)) {
      Files.setLastModifiedTime(file, old);
    }
    QueueFolders.removeForgotten(folder);
    assertThat(place).isEmptyDirectory();
  }
}
