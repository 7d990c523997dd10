/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.sennit.testing.ChildProcess;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** That everything arrives, in order, and once. */
class ExporterTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir private Path folder;
  private final BlockingQueue<String> log = new LinkedBlockingQueue<>();

  private TestSettings settings(Protocol protocol, int port) {
    return new TestSettings()
        .property("sennit.otlp.protocol", protocol.settingValue())
        .property("sennit.otlp.endpoint", "http://localhost:" + port)
        .property("sennit.otlp.queue.directory", folder);
  }

  /** With pauses that are shorter than those of the real thing. */
  private Exporter open(TestSettings settings) throws IOException {
    Backoff backoff = new Backoff(Duration.ofMillis(20), Duration.ofMillis(100), new Random(1));
    return Exporter.open(settings.read(), backoff, log::add);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static void export(Exporter exporter, int from, int to) {
    IntStream.range(from, to).forEach(i -> exporter.export(Messages.numbered(i, 1000)));
  }

  private static List<Integer> numbers(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> file.toString().contains(InstanceFolder.MESSAGE)).toList();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aMessageGoesStraightFromMemoryWhileTheCollectorTakesAll(Protocol protocol)
      throws IOException {
    try (Collector collector = Collector.start(protocol, 0);
        Exporter exporter = open(settings(protocol, collector.port()))) {
      BlockingQueue<List<Path>> seen = new LinkedBlockingQueue<>();
      collector.beforeAnswer(
          number -> {
            try {
              seen.add(files());
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          });
      for (int i = 0; i < 3; i++) {
        export(exporter, i, i + 1);
        assertThat(exporter.flush(LONG)).isTrue();
      }
      assertThat(collector.received()).containsExactly(0, 1, 2);
      assertThat(seen).containsOnly(List.of());
      assertThat(exporter.counters().sent()).isEqualTo(3);
      assertThat(exporter.counters().lastError()).isEmpty();
    }
    assertThat(log).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void someMessagesWaitInMemoryForTheOneBeforeThem(Protocol protocol) throws Exception {
    int size = 1 << 20;
    try (Collector collector = Collector.start(protocol, 0);
        Exporter exporter = open(settings(protocol, collector.port()))) {
      CountDownLatch enough = new CountDownLatch(1);
      collector.beforeAnswer(number -> enough.await());
      IntStream.range(0, 7).forEach(i -> exporter.export(Messages.numbered(i, size)));
      assertThat(exporter.counters().queued()).isZero();
      assertThat(files()).isEmpty();
      IntStream.range(7, 10).forEach(i -> exporter.export(Messages.numbered(i, size)));
      assertThat(exporter.counters().queued()).as("beyond the bound").isEqualTo(3);
      enough.countDown();
      assertThat(exporter.flush(LONG)).isTrue();
      assertThat(collector.received()).containsExactlyElementsOf(numbers(0, 10));
      assertThat(exporter.counters().lastError()).isEmpty();
    }
    assertThat(log).isEmpty();
  }

  @Test
  void withoutAQueueWhatComesAtOnceIsSentAllTheSame() throws IOException {
    try (Collector collector = Collector.start(Protocol.GRPC, 0);
        Exporter exporter =
            open(
                settings(Protocol.GRPC, collector.port()).property("sennit.otlp.queue.bound", 0))) {
      CountDownLatch enough = new CountDownLatch(1);
      collector.beforeAnswer(number -> enough.await());
      IntStream.range(0, 12).forEach(i -> exporter.export(Messages.numbered(i, 1 << 20)));
      enough.countDown();
      assertThat(exporter.flush(LONG)).isTrue();
      assertThat(collector.received()).containsExactlyElementsOf(numbers(0, 12));
      assertThat(exporter.counters().droppedInAll()).isZero();
    }
  }

  @Test
  void whatWaitsInMemoryGoesToDiskWhenTheOneBeforeItFails() throws Exception {
    try (HttpCollector collector = HttpCollector.start();
        Exporter exporter = open(settings(Protocol.HTTP_PROTOBUF, collector.port()))) {
      CountDownLatch enough = new CountDownLatch(1);
      collector.beforeAnswer(number -> enough.await());
      collector.behaviour =
          exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "3600");
            HttpCollector.answer(exchange, 503, new byte[0]);
          };
      export(exporter, 0, 3);
      enough.countDown();
      assertThat(log.take()).contains("503");
      assertThat(exporter.counters().queued()).isEqualTo(3);
      export(exporter, 3, 5);
      assertThat(exporter.counters().queued()).isEqualTo(5);
      assertThat(files()).hasSize(5);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whileTheCollectorIsAwayMessagesWaitOnDiskAndThenArriveInOrder(Protocol protocol)
      throws Exception {
    int port = freePort();
    try (Exporter exporter = open(settings(protocol, port))) {
      export(exporter, 0, 20);
      assertThat(log.take()).contains("Connection refused");
      assertThat(exporter.flush(Duration.ZERO)).isFalse();
      assertThat(exporter.counters().queued()).isEqualTo(20);
      assertThat(exporter.counters().queuedBytes()).isEqualTo(20 * ChunkQueue.BLOCK);
      assertThat(files()).hasSize(20);
      try (Collector collector = Collector.start(protocol, port)) {
        assertThat(exporter.flush(LONG)).isTrue();
        assertThat(collector.received()).containsExactlyElementsOf(numbers(0, 20));
      }
      assertThat(log.take()).endsWith(" again");
      assertThat(exporter.counters().sent()).isEqualTo(20);
      assertThat(exporter.counters().resent()).isZero();
      assertThat(files()).isEmpty();
    }
    assertThat(log).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aCollectorThatIsStoppedAndStartedAgainGetsEverythingOnce(Protocol protocol)
      throws IOException {
    List<Integer> received = new ArrayList<>();
    int port = freePort();
    try (Exporter exporter = open(settings(protocol, port))) {
      for (int round = 0; round < 3; round++) {
        try (Collector collector = Collector.start(protocol, port)) {
          export(exporter, 10 * round, 10 * round + 5);
          assertThat(exporter.flush(LONG)).isTrue();
          received.addAll(collector.received());
        }
        export(exporter, 10 * round + 5, 10 * round + 10);
      }
      try (Collector collector = Collector.start(protocol, port)) {
        assertThat(exporter.flush(LONG)).isTrue();
        received.addAll(collector.received());
      }
      assertThat(exporter.counters().resent()).isZero();
    }
    assertThat(received).containsExactlyElementsOf(numbers(0, 30));
  }

  @ParameterizedTest
  @EnumSource
  void whatACollectorHadReadWhenItWasKilledComesAgainAndNothingElse(Protocol protocol)
      throws IOException {
    int port = freePort();
    try (Exporter exporter = open(settings(protocol, port))) {
      List<String> got = new ArrayList<>();
      for (int fatal : new int[] {3, 4}) {
        try (ChildProcess doomed = collector(protocol, port, fatal)) {
          doomed.expect("port ");
          if (got.isEmpty()) {
            export(exporter, 0, 7);
          }
          got.addAll(doomed.readAll());
          assertThat(doomed.waitFor()).isEqualTo(137);
        }
      }
      try (ChildProcess survivor = collector(protocol, port, -1)) {
        survivor.expect("port ");
        assertThat(exporter.flush(LONG)).isTrue();
        IntStream.range(0, 3).forEach(i -> got.add(survivor.readLine()));
      }
      assertThat(got)
          .containsExactly(
              "got 0", "got 1", "got 2", "got 3", "got 3", "got 4", "got 4", "got 5", "got 6");
      ExportCounters counters = exporter.counters();
      assertThat(counters.sent()).isEqualTo(7);
      assertThat(counters.resent()).isEqualTo(2);
      assertThat(counters.droppedInAll()).isZero();
    }
  }

  private static ChildProcess collector(Protocol protocol, int port, int fatal) {
    return ChildProcess.java(
        CollectorProgram.class, protocol.name(), Integer.toString(port), Integer.toString(fatal));
  }

  @Test
  void theTimeThatTheCollectorAsksForIsGivenToIt() throws Exception {
    try (HttpCollector collector = HttpCollector.start();
        Exporter exporter = open(settings(Protocol.HTTP_PROTOBUF, collector.port()))) {
      BlockingQueue<Long> times = new LinkedBlockingQueue<>();
      collector.beforeAnswer(number -> times.add(System.nanoTime()));
      collector.behaviour =
          exchange -> {
            collector.behaviour = HttpCollector.TAKE;
            exchange.getResponseHeaders().set("Retry-After", "1");
            HttpCollector.answer(exchange, 503, new byte[0]);
          };
      export(exporter, 0, 1);
      log.take();
      // Nobody's hurry makes the pause shorter.
      assertThat(exporter.flush(LONG)).isTrue();
      long first = times.take();
      assertThat(Duration.ofNanos(times.take() - first)).isGreaterThan(Duration.ofSeconds(1));
      assertThat(collector.received()).containsExactly(0, 0);
      assertThat(exporter.counters().resent()).as("the answer was not lost").isZero();
    }
  }

  @Test
  void whatTheCollectorRefusesIsDroppedWithALineAndTheRestGoesOn() throws IOException {
    try (HttpCollector collector = HttpCollector.start();
        Exporter exporter = open(settings(Protocol.HTTP_PROTOBUF, collector.port()))) {
      collector.behaviour =
          exchange -> {
            collector.behaviour = HttpCollector.TAKE;
            HttpCollector.answer(exchange, 400, new byte[0]);
          };
      export(exporter, 0, 3);
      assertThat(exporter.flush(LONG)).isTrue();
      assertThat(collector.received()).containsExactly(0, 1, 2);
      assertThat(exporter.counters().sent()).isEqualTo(2);
      assertThat(exporter.counters().dropped()).containsEntry(DropReason.REJECTED, 1L);
      assertThat(log).singleElement().asString().contains("HTTP status 400");
    }
  }

  @Test
  void aQueueThatIsFullDropsTheOldest() throws Exception {
    int port = freePort();
    TestSettings settings =
        settings(Protocol.GRPC, port).property("sennit.otlp.queue.bound", 5 * ChunkQueue.BLOCK);
    try (Exporter exporter = open(settings)) {
      export(exporter, 0, 1);
      assertThat(log.take()).contains("Connection refused");
      export(exporter, 1, 12);
      assertThat(exporter.counters().queued()).isEqualTo(5);
      assertThat(exporter.counters().dropped()).containsEntry(DropReason.QUEUE_FULL, 7L);
      try (Collector collector = Collector.start(Protocol.GRPC, port)) {
        assertThat(exporter.flush(LONG)).isTrue();
        assertThat(collector.received()).hasSize(5).endsWith(9, 10, 11);
      }
    }
  }

  @Test
  void withoutAQueueWhatCannotBeSentIsDropped() throws Exception {
    TestSettings settings =
        settings(Protocol.GRPC, freePort()).property("sennit.otlp.queue.bound", 0);
    try (Exporter exporter = open(settings)) {
      export(exporter, 0, 1);
      while (exporter.counters().droppedInAll() == 0) {
        log.take();
      }
      assertThat(exporter.counters().dropped()).containsEntry(DropReason.QUEUE_FULL, 1L);
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aMessageThatReceiversDoNotTakeIsDropped() throws IOException {
    try (Exporter exporter = open(settings(Protocol.GRPC, freePort()))) {
      exporter.export(new byte[Exporter.MAX_MESSAGE + 1]);
      assertThat(exporter.counters().dropped()).containsEntry(DropReason.TOO_LARGE, 1L);
      assertThat(exporter.flush(Duration.ZERO)).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsLeftAtTheEndStaysOnDiskAndIsSentByTheNext(Protocol protocol) throws IOException {
    int port = freePort();
    try (Exporter exporter = open(settings(protocol, port))) {
      export(exporter, 0, 4);
      exporter.close(LONG);
      exporter.export(Messages.numbered(99));
      assertThat(exporter.counters().dropped()).containsEntry(DropReason.CLOSED, 1L);
    }
    assertThat(files()).hasSize(4);
    try (Collector collector = Collector.start(protocol, port);
        Exporter exporter = open(settings(protocol, port))) {
      assertThat(collector.received()).as("before there is something to send").isEmpty();
      export(exporter, 4, 5);
      assertThat(exporter.flush(LONG)).isTrue();
      assertThat(collector.received()).containsExactly(0, 1, 2, 3, 4);
    }
    assertThat(files()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void atTheEndWhatIsLeftIsSentAsLongAsTheCollectorTakesIt(Protocol protocol) throws IOException {
    try (Collector collector = Collector.start(protocol, 0)) {
      Exporter exporter = open(settings(protocol, collector.port()));
      export(exporter, 0, 10);
      exporter.close(LONG);
      assertThat(collector.received()).containsExactlyElementsOf(numbers(0, 10));
      assertThat(exporter.counters().sent()).isEqualTo(10);
    }
    assertThat(files()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aMessageWhoseAnswerDoesNotComeBeforeTheEndStaysOnDisk(Protocol protocol)
      throws InterruptedException, IOException {
    try (Collector collector = Collector.start(protocol, 0)) {
      CountDownLatch end = new CountDownLatch(1);
      collector.beforeAnswer(number -> end.await());
      Exporter exporter = open(settings(protocol, collector.port()));
      export(exporter, 7, 8);
      assertThat(collector.received().take()).isEqualTo(7);
      exporter.close(Duration.ofMillis(1));
      end.countDown();
      assertThat(files()).hasSize(1);
    }
  }

  @Test
  void aMessageThatNeverGetsAnAnswerDoesNotHoldUpTheOthersForEver() throws Exception {
    try (HttpCollector collector = HttpCollector.start();
        Exporter exporter =
            open(
                settings(Protocol.HTTP_PROTOBUF, collector.port())
                    .property("sennit.otlp.timeout", "200ms"))) {
      CountDownLatch end = new CountDownLatch(1);
      collector.beforeAnswer(
          number -> {
            if (number == 0) {
              end.await();
            }
          });
      export(exporter, 0, 3);
      for (int i = 0; i < Outbox.PATIENCE; i++) {
        assertThat(collector.received().take()).isZero();
      }
      assertThat(collector.received().take()).isEqualTo(1);
      assertThat(collector.received().take()).isEqualTo(2);
      assertThat(collector.received().take()).isZero();
      end.countDown();
      assertThat(exporter.flush(LONG)).isTrue();
      assertThat(exporter.counters().sent()).isEqualTo(3);
      assertThat(exporter.counters().resent()).isGreaterThanOrEqualTo(Outbox.PATIENCE);
    }
  }

  @Test
  void anApplicationThatInterruptsEveryThreadDoesNotEndTheSending() throws IOException {
    try (Collector collector = Collector.start(Protocol.GRPC, 0);
        Exporter exporter = open(settings(Protocol.GRPC, collector.port()))) {
      for (int i = 0; i < 5; i++) {
        export(exporter, i, i + 1);
        assertThat(exporter.flush(LONG)).isTrue();
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith("sennit-export"))
            .forEach(Thread::interrupt);
      }
      assertThat(exporter.flush(LONG)).isTrue();
      assertThat(collector.received()).contains(0, 1, 2, 3, 4);
    }
  }

  @Test
  void aDirectoryThatWasNamedAndCannotBeUsedIsAnError() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    TestSettings settings =
        settings(Protocol.GRPC, 4317).property("sennit.otlp.queue.directory", file);
    assertThatIOException().isThrownBy(() -> open(settings)).withMessageContaining(file.toString());
  }
}
