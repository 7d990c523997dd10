/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.reader.ProcessContextReader;
import dev.sennit.context.reader.ProcessReading;
import dev.sennit.testing.CProgram;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A JVM publishes; this one looks from outside, with our reader and with one that is not ours. */
@Requires(commands = "gcc")
@Timeout(60)
class ProcessContextPublisherTest {
  private static Path neighbour;

  private final ProcessContextReader reader = new ProcessContextReader();
  private ChildProcess child;

  @BeforeAll
  static void compile(@TempDir Path folder) {
    neighbour =
        CProgram.compile(
            ProcessContextPublisherTest.class, "neighbour.c", folder, "-shared", "-fPIC");
  }

  @BeforeEach
  void start() {
    child = ChildProcess.java(TalkingPublisher.class, neighbour.toString());
    child.expect("ready");
  }

  @AfterEach
  void end() {
    child.close();
  }

  @Test
  void whatIsPublishedIsReadFromOutside() throws Exception {
    assertThat(reader.read(child.pid())).isEqualTo(new ProcessReading.NotPublished());
    assertThat(ask("published")).isEqualTo("false");

    assertThat(ask("publish service.name=orders +note=extra")).isEqualTo("ok");

    ProcessContext expected = context("service.name=orders", "+note=extra");
    IndependentReader.Found found = IndependentReader.read(child.pid());
    assertThat(found.signature()).isEqualTo("OTEL_CTX");
    assertThat(found.version()).isEqualTo(2);
    assertThat(found.context()).isEqualTo(expected);
    assertThat(reader.read(child.pid()))
        .isEqualTo(new ProcessReading.Published(2, found.publishedAtNs(), expected));
    assertThat(ask("published")).isEqualTo("true");
  }

  @Test
  void whatIsDetectedIsPublishedInThreeLines() throws Exception {
    assertThat(ask("detect")).isEqualTo("ok");
    ProcessContext context = IndependentReader.read(child.pid()).context();
    assertThat(context.resource())
        .containsEntry("process.pid", AttributeValue.of(child.pid()))
        .containsKeys("service.name", "service.instance.id", "host.name");
    assertThat(ask("copy detect")).isEqualTo("ok");
    assertThat(IndependentReader.read(child.pid()).context()).isEqualTo(context);
  }

  @Test
  void theMappingIsPrivateWritableAndNotExecutable() throws Exception {
    ask("publish a=1");
    assertThat(IndependentReader.read(child.pid()).mapping())
        .matches(
            "[0-9a-f]+-[0-9a-f]+ rw-p .*(/memfd:OTEL_CTX \\(deleted\\)|\\[anon_shmem:OTEL_CTX])");
  }

  @Test
  void anUpdateReplacesWhatWasPublishedInTheSameMapping() throws Exception {
    ask("publish service.name=orders old=1");
    IndependentReader.Found before = IndependentReader.read(child.pid());
    ask("publish service.name=billing new=2");
    IndependentReader.Found after = IndependentReader.read(child.pid());
    assertThat(after.context()).isEqualTo(context("service.name=billing", "new=2"));
    assertThat(after.mapping()).isEqualTo(before.mapping());
  }

  @Test
  void timestampsStrictlyIncrease() {
    List<Long> timestamps = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      ask("publish i=" + i);
      timestamps.add(published().publishedAtNs());
    }
    ask("drop");
    ask("copy publish i=again");
    timestamps.add(published().publishedAtNs());
    assertThat(timestamps).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void aReaderSeesOneWholeVersionOrAnotherWhileUpdatesGoOn() {
    child.send("publish-often 2000");
    long last = 0;
    int seen = 0;
    while (last < 2000) {
      if (reader.read(child.pid()) instanceof ProcessReading.Published now) {
        assertThat(now.context().resource()).containsOnlyKeys("update");
        long update =
            now.context().resource().get("update") instanceof AttributeValue.Whole(long n) ? n : -1;
        assertThat(update).isGreaterThanOrEqualTo(last);
        last = update;
        seen++;
      }
    }
    assertThat(child.readLine()).isEqualTo("ok");
    assertThat(seen).isPositive();
  }

  @Test
  void droppingLeavesNothing() throws Exception {
    assertThat(ask("drop")).isEqualTo("false");
    ask("publish a=1");
    assertThat(ask("drop")).isEqualTo("true");
    assertThat(IndependentReader.mappings(child.pid())).isEmpty();
    assertThat(reader.read(child.pid())).isEqualTo(new ProcessReading.NotPublished());
    assertThat(ask("drop")).isEqualTo("false");

    ask("publish a=2");
    assertThat(IndependentReader.read(child.pid()).context()).isEqualTo(context("a=2"));
  }

  @Test
  void aPayloadAtTheLimitIsPublishedAndOneOverItIsRefused() throws Exception {
    assertThat(ask("publish-sized 65536")).isEqualTo("ok");
    ProcessContext largest = published().context();
    assertThat(ProcessContextCodec.encode(largest)).hasSize(65_536);
    assertThat(IndependentReader.read(child.pid()).context()).isEqualTo(largest);

    assertThat(ask("publish-sized 65537"))
        .isEqualTo("error: the context takes 65537 bytes, and readers take no more than 65536");
    assertThat(ask("contribute one.more=1"))
        .startsWith("error: the context takes 655")
        .endsWith("bytes, and readers take no more than 65536");
    assertThat(published().context()).isEqualTo(largest);
    assertThat(ask("publish a=1")).isEqualTo("ok");
    assertThat(published().context()).isEqualTo(context("a=1"));
  }

  @Test
  void contributionsJoinWhatIsPublishedNowOrLater() {
    assertThat(ask("contribute threadlocal.schema_version=tlsdesc_v1_dev")).isEqualTo("ok");
    assertThat(reader.read(child.pid())).isEqualTo(new ProcessReading.NotPublished());

    ask("publish a=1 +hidden=mine");
    assertThat(published().context())
        .isEqualTo(context("a=1", "+hidden=mine", "+threadlocal.schema_version=tlsdesc_v1_dev"));

    ask("contribute hidden=contributed");
    assertThat(attribute("hidden")).isEqualTo(AttributeValue.of("contributed"));
    ask("publish a=2 +hidden=mine");
    assertThat(attribute("hidden")).isEqualTo(AttributeValue.of("contributed"));
    assertThat(published().context().attributes()).containsKey("threadlocal.schema_version");

    ask("withdraw hidden threadlocal.schema_version");
    assertThat(published().context()).isEqualTo(context("a=2", "+hidden=mine"));
    ask("publish a=3");
    assertThat(published().context()).isEqualTo(context("a=3"));
  }

  @Test
  void contributionsOutliveADrop() {
    ask("contribute threadlocal.k=v");
    ask("publish a=1");
    ask("drop");
    ask("publish a=2");
    assertThat(published().context()).isEqualTo(context("a=2", "+threadlocal.k=v"));
  }

  @Test
  void twoCopiesOfTheClassesUpdateOneMapping() throws Exception {
    ask("publish from=first");
    String mapping = IndependentReader.read(child.pid()).mapping();
    for (int i = 0; i < 3; i++) {
      assertThat(ask("copy publish from=second i=" + i)).isEqualTo("ok");
      assertThat(IndependentReader.read(child.pid()).context())
          .isEqualTo(context("from=second", "i=" + i));
      assertThat(ask("publish from=first i=" + i)).isEqualTo("ok");
      assertThat(IndependentReader.read(child.pid()).context())
          .isEqualTo(context("from=first", "i=" + i));
    }
    assertThat(ask("copy published")).isEqualTo("true");
    assertThat(IndependentReader.read(child.pid()).mapping()).isEqualTo(mapping);
  }

  @Test
  void twoCopiesThatPublishAtTheSameTimeStillShareOneMapping() throws Exception {
    for (int i = 0; i < 20; i++) {
      assertThat(ask("both publish-often 5")).isEqualTo("ok ok");
      assertThat(IndependentReader.read(child.pid()).context().resource())
          .containsEntry("update", AttributeValue.of(5));
      // One of them takes the record back, the other the mapping.
      ask("both drop");
      ask("both drop");
      assertThat(IndependentReader.mappings(child.pid())).isEmpty();
    }
  }

  @Test
  void aCopyDropsARecordThatItDidNotMakeAndPublishesInItAgain() throws Exception {
    ask("publish from=first");
    String mapping = IndependentReader.read(child.pid()).mapping();

    assertThat(ask("copy drop")).isEqualTo("true");
    assertThat(reader.read(child.pid())).isEqualTo(new ProcessReading.NotPublished());
    assertThat(ask("published")).isEqualTo("false");

    assertThat(ask("copy publish from=second")).isEqualTo("ok");
    assertThat(IndependentReader.read(child.pid()).context()).isEqualTo(context("from=second"));
    assertThat(IndependentReader.read(child.pid()).mapping()).isEqualTo(mapping);

    assertThat(ask("copy drop")).isEqualTo("true");
    assertThat(ask("publish from=first")).isEqualTo("ok");
    assertThat(IndependentReader.read(child.pid()).mapping()).isEqualTo(mapping);

    assertThat(ask("drop")).isEqualTo("true");
    assertThat(IndependentReader.mappings(child.pid())).isEmpty();
    assertThat(ask("copy publish from=second")).isEqualTo("ok");
    assertThat(IndependentReader.read(child.pid()).context()).isEqualTo(context("from=second"));
  }

  @Test
  void aCopyKeepsWhatAnotherHasContributedAboutThreads() {
    ask("contribute threadlocal.k=v sennit.thread_ring.address=1 sennit.thread_storage=otel");
    ask("publish from=first +other=1");
    ask("copy publish from=second");
    ProcessContext kept =
        context(
            "from=second",
            "+threadlocal.k=v",
            "+sennit.thread_ring.address=1",
            "+sennit.thread_storage=otel");
    assertThat(published().context()).isEqualTo(kept);
    ask("copy publish from=second");
    assertThat(published().context()).isEqualTo(kept);

    ask("copy contribute threadlocal.k=newer");
    assertThat(attribute("threadlocal.k")).isEqualTo(AttributeValue.of("newer"));
    ask("copy withdraw threadlocal.k");
    assertThat(published().context().attributes())
        .containsOnlyKeys("sennit.thread_ring.address", "sennit.thread_storage");
    ask("withdraw threadlocal.k sennit.thread_ring.address sennit.thread_storage");
    assertThat(published().context()).isEqualTo(context("from=second"));
  }

  @Test
  void aContextOwnSharedAttributeGoesWhenTheNextContextHasItNoMore() {
    ask("publish a=1 +threadlocal.k=v");
    ask("publish a=2");
    assertThat(published().context()).isEqualTo(context("a=2"));
  }

  @Test
  void theRecordOfANativeLibraryIsUpdatedInItsPlace() throws Exception {
    assertThat(ask("neighbour-publish from=native +note=1 +threadlocal.k=v")).isEqualTo("0");
    IndependentReader.Found before = IndependentReader.read(child.pid());
    assertThat(ask("published")).isEqualTo("true");

    assertThat(ask("contribute sennit.thread_storage=otel")).isEqualTo("ok");
    IndependentReader.Found joined = IndependentReader.read(child.pid());
    assertThat(joined.context())
        .isEqualTo(
            context("from=native", "+note=1", "+threadlocal.k=v", "+sennit.thread_storage=otel"));
    assertThat(joined.publishedAtNs()).isGreaterThan(before.publishedAtNs());

    assertThat(ask("publish from=java")).isEqualTo("ok");
    IndependentReader.Found after = IndependentReader.read(child.pid());
    assertThat(after.mapping()).isEqualTo(before.mapping());
    assertThat(after.context())
        .isEqualTo(context("from=java", "+threadlocal.k=v", "+sennit.thread_storage=otel"));

    assertThat(ask("drop")).isEqualTo("true");
    assertThat(reader.read(child.pid())).isEqualTo(new ProcessReading.NotPublished());
    assertThat(IndependentReader.mappings(child.pid())).hasSize(1);
  }

  @Test
  void anUpdateIsLaterThanWhateverAnotherPublisherHasWritten() throws Exception {
    ask("neighbour-publish from=native");
    // Nanoseconds since the epoch, as the draft had it, are far ahead of the time since boot.
    ask("neighbour-at 1790000000000000000");
    ask("publish from=java");
    assertThat(IndependentReader.read(child.pid()).publishedAtNs())
        .isEqualTo(1_790_000_000_000_000_001L);
  }

  @Test
  void aNativeRecordThatIsWriteProtectedIsReportedAndLeft() throws Exception {
    assertThat(ask("neighbour-protected from=native")).isEqualTo("0");
    assertThat(ask("publish from=java"))
        .matches(
            "error: the record of this process at 0x[0-9a-f]+ is write-protected by whoever"
                + " published it");
    assertThat(IndependentReader.read(child.pid()).context()).isEqualTo(context("from=native"));
  }

  @Test
  void aNativeRecordThatPointsNowhereIsReplacedAndHurtsNobody() throws Exception {
    ask("neighbour-publish from=native");
    ask("neighbour-point 0x10 100");
    assertThat(ask("contribute threadlocal.k=v"))
        .isEqualTo(
            "error: cannot change attributes of the record of this process:"
                + " payload pointer 0x10: 0 of 100 bytes can be read");
    assertThat(ask("publish from=java")).isEqualTo("ok");
    assertThat(IndependentReader.read(child.pid()).context()).isEqualTo(context("from=java"));
    assertThat(child.errors())
        .contains("sennit: replacing a process context that was malformed: payload pointer 0x10");
  }

  @Test
  void aForkedChildInheritsNothing() throws Exception {
    ask("publish a=1");
    int forked = Integer.parseInt(ask("fork"));
    assertThat(IndependentReader.mappings(forked)).isEmpty();
    assertThat(reader.read(forked)).isEqualTo(new ProcessReading.NotPublished());
    assertThat(IndependentReader.read(child.pid()).context()).isEqualTo(context("a=1"));
  }

  private String ask(String line) {
    child.send(line);
    return child.readLine();
  }

  private ProcessReading.Published published() {
    ProcessReading reading = reader.read(child.pid());
    assertThat(reading).isInstanceOf(ProcessReading.Published.class);
    return (ProcessReading.Published) reading;
  }

  private @Nullable AttributeValue attribute(String key) {
    return published().context().attributes().get(key);
  }

  private static ProcessContext context(String... words) {
    return TalkingPublisher.context(List.of(words));
  }
}
