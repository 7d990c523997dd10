/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.process.ProcessContextCodec;
import dev.sennit.context.reader.ProcessReading.Malformed;
import dev.sennit.context.reader.ProcessReading.NotPublished;
import dev.sennit.context.reader.ProcessReading.Published;
import dev.sennit.context.reader.ProcessReading.Unreadable;
import dev.sennit.testing.AnotherUser;
import dev.sennit.testing.CProgram;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our reader on records that a C program publishes: good ones, and all kinds of bad ones. */
@Requires(commands = "gcc")
@Timeout(60)
class ProcessContextReaderTest {
  private static final ProcessContext CONTEXT =
      ProcessContext.builder()
          .resource("service.name", "written in C")
          .resource("process.pid", AttributeValue.of(4711))
          .attribute("note", AttributeValue.of("extra"))
          .build();

  @TempDir private static Path folder;
  private static Path publisher;
  private static Path payload;

  private final ProcessContextReader reader = new ProcessContextReader();

  @BeforeAll
  static void compile() throws IOException {
    publisher = CProgram.compile(ProcessContextReaderTest.class, "publisher.c", folder);
    payload = folder.resolve("payload");
    Files.write(
        payload,
        io.opentelemetry.proto.processcontext.v1development.ProcessContext.newBuilder()
            .setResource(
                Resource.newBuilder()
                    .addAttributes(
                        KeyValue.newBuilder()
                            .setKey("service.name")
                            .setValue(AnyValue.newBuilder().setStringValue("written in C")))
                    .addAttributes(
                        KeyValue.newBuilder()
                            .setKey("process.pid")
                            .setValue(AnyValue.newBuilder().setIntValue(4711))))
            .addAttributes(
                KeyValue.newBuilder()
                    .setKey("note")
                    .setValue(AnyValue.newBuilder().setStringValue("extra")))
            .build()
            .toByteArray());
  }

  @Test
  void whatACProgramPublishesIsRead() {
    try (ChildProcess child = publish("at=123456789")) {
      assertThat(reader.read(child.pid())).isEqualTo(new Published(2, 123_456_789, CONTEXT));
    }
  }

  @Test
  void aTimestampOfTheEpochAsInTheDraftIsAsGood() {
    try (ChildProcess child = publish("at=1790000000000000000")) {
      assertThat(reader.read(child.pid()))
          .isEqualTo(new Published(2, 1_790_000_000_000_000_000L, CONTEXT));
    }
  }

  @Test
  void aMappingWhoseNameOnlyStartsRightIsLookedAt() {
    try (ChildProcess child = publish("at=1", "name=OTEL_CTX_2")) {
      assertThat(reader.read(child.pid())).isEqualTo(new Published(2, 1, CONTEXT));
    }
    try (ChildProcess child = publish("at=1", "name=MY_OTEL_CTX")) {
      assertThat(reader.read(child.pid())).isEqualTo(new NotPublished());
    }
  }

  @Test
  void mappingsThatDoNotMatchAreSkippedInFavourOfOneThatDoes() {
    try (ChildProcess child = publish("at=1", "decoy=3")) {
      assertThat(reader.read(child.pid())).isEqualTo(new Published(2, 1, CONTEXT));
    }
  }

  @Test
  void aProcessThatPublishesNothingIsSaidToPublishNothing() {
    try (ChildProcess child = ChildProcess.start(List.of("cat"))) {
      assertThat(reader.read(child.pid())).isEqualTo(new NotPublished());
    }
  }

  @Test
  void aMappingWithoutASignatureIsNotPublishedYet() {
    try (ChildProcess child = publish("signature=", "at=0")) {
      assertThat(reader.read(child.pid())).isEqualTo(new NotPublished());
    }
  }

  @Test
  void aWrongSignatureIsMalformed() {
    try (ChildProcess child = publish("signature=OTEL_CTY")) {
      assertThat(reader.read(child.pid()))
          .isEqualTo(new Malformed("signature 4f54454c5f435459 is not that of OTEL_CTX"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "7", "4294967295"})
  void anotherVersionIsNotSupported(String version) {
    try (ChildProcess child = publish("version=" + version)) {
      assertThat(reader.read(child.pid()))
          .isEqualTo(new Malformed("version " + version + " is not supported; 2 is"));
    }
  }

  @Test
  void aHugeSizeIsOverTheLimit() {
    try (ChildProcess child = publish("size=4294967295")) {
      assertThat(reader.read(child.pid()))
          .isEqualTo(new Malformed("payload_size 4294967295 is over the limit of 65536"));
    }
  }

  @Test
  void noSizeIsMalformed() {
    try (ChildProcess child = publish("size=0")) {
      assertThat(reader.read(child.pid())).isEqualTo(new Malformed("payload_size is 0"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0x0", "0x10", "0xdeadbeef0000", "0xffffffffff600000", "0xffffffffffffffff"})
  void aWildPointerCannotBeRead(String pointer) {
    try (ChildProcess child = publish("pointer=" + pointer)) {
      assertThat(reader.read(child.pid()))
          .isEqualTo(
              new Malformed(
                  "payload pointer " + pointer + " cannot be read: EFAULT (bad address)"));
    }
  }

  @Test
  void aPayloadThatGoesOnPastItsMemoryIsMalformed() throws IOException {
    long length = Files.size(payload);
    try (ChildProcess child = publish("edge=1", "size=60000")) {
      assertThat(reader.read(child.pid()))
          .isInstanceOfSatisfying(
              Malformed.class,
              malformed ->
                  assertThat(malformed.reason())
                      .matches(
                          "payload pointer 0x[0-9a-f]+: only %d of 60000 bytes can be read"
                              .formatted(length)));
    }
    try (ChildProcess child = publish("edge=1", "at=1")) {
      assertThat(reader.read(child.pid())).isEqualTo(new Published(2, 1, CONTEXT));
    }
  }

  @Test
  void garbageIsMalformedAndSaysWhere() throws IOException {
    Path garbage = Files.write(folder.resolve("garbage"), new byte[] {0x0a, 0x7f, 0x01});
    try (ChildProcess child = start("file=" + garbage)) {
      assertThat(reader.read(child.pid()))
          .isEqualTo(
              new Malformed(
                  "payload: ProcessContext, field 1 at offset 0: length 127, but 1 bytes follow"));
    }
  }

  @Test
  void aHeaderThatCannotBeReadIsMalformed() {
    try (ChildProcess child = publish("protect=1")) {
      assertThat(reader.read(child.pid()))
          .isInstanceOfSatisfying(
              Malformed.class,
              malformed ->
                  assertThat(malformed.reason())
                      .matches("header at 0x[0-9a-f]+ cannot be read: EFAULT \\(bad address\\)"));
    }
  }

  @Test
  void aTimestampOfZeroForEverIsGivenUp() {
    try (ChildProcess child = publish("at=0")) {
      assertThat(reader.read(child.pid()))
          .isEqualTo(
              new Unreadable(
                  "the record of process "
                      + child.pid()
                      + " was being written at each of 3 attempts"));
    }
  }

  @Test
  void aHeaderThatChangesForEverIsGivenUp() {
    try (ChildProcess child = publish("spin=1")) {
      // Now and then the publisher is not running for as long as a read takes.
      ProcessReading reading = reader.read(child.pid());
      while (reading instanceof Published published) {
        assertThat(published.context()).isEqualTo(CONTEXT);
        reading = reader.read(child.pid());
      }
      assertThat(reading)
          .isInstanceOfSatisfying(
              Unreadable.class,
              unreadable ->
                  assertThat(unreadable.reason())
                      .startsWith("the record of process " + child.pid())
                      .endsWith("each of 3 attempts"));
    }
  }

  @Test
  void aProcessThatEndsWhileItIsReadIsNoFailure() {
    for (int i = 0; i < 20; i++) {
      List<ProcessReading> readings = new ArrayList<>();
      int pid;
      try (ChildProcess child = publish("at=1")) {
        pid = child.pid();
        readings.add(reader.read(pid));
        Thread killer = Thread.ofPlatform().start(child::close);
        while (killer.isAlive()) {
          readings.add(reader.read(pid));
        }
      }
      assertThat(readings.getFirst()).isEqualTo(new Published(2, 1, CONTEXT));
      assertThat(readings)
          .allMatch(
              reading ->
                  reading.equals(readings.getFirst())
                      || reading.equals(new NotPublished())
                      || reading.equals(new Unreadable("no process " + pid))
                      || reading.equals(
                          new Unreadable("process " + pid + " ended while it was read")));
      assertThat(reader.read(pid)).isEqualTo(new Unreadable("no process " + pid));
    }
  }

  @Test
  void aPidThatCannotBeIsNoProcess() {
    assertThat(reader.read(0)).isEqualTo(new Unreadable("no process 0"));
    assertThat(reader.read(-1)).isEqualTo(new Unreadable("no process -1"));
    assertThat(reader.read(Integer.MAX_VALUE))
        .isEqualTo(new Unreadable("no process " + Integer.MAX_VALUE));
  }

  @Test
  void aRaisedLimitReadsAMebibyteAndNotAByteMore() throws IOException {
    int limit = ProcessContextReader.LARGEST_MAX_PAYLOAD;
    Path large = folder.resolve("large");
    ProcessContext context = ProcessContext.builder().resource("k", "v".repeat(limit - 19)).build();
    Files.write(large, ProcessContextCodec.encode(context));
    assertThat(large).hasSize(limit);
    try (ChildProcess child = start("file=" + large, "at=1")) {
      assertThat(new ProcessContextReader(limit).read(child.pid()))
          .isEqualTo(new Published(2, 1, context));
      assertThat(new ProcessContextReader(limit - 1).read(child.pid()))
          .isEqualTo(new Malformed("payload_size 1048576 is over the limit of 1048575"));
      assertThat(reader.read(child.pid()))
          .isEqualTo(new Malformed("payload_size 1048576 is over the limit of 65536"));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, (1 << 20) + 1})
  void aLimitOutsideOfReasonIsRefused(int limit) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ProcessContextReader(limit))
        .withMessage("maxPayloadBytes=" + limit + " is not between 1 and 1048576");
  }

  @Test
  @Requires(root = true, commands = "gcc")
  void withoutProcessVmReadvTheMemoryFileIsRead() {
    Path without = CProgram.compile(ProcessContext.class, "without.c", folder);
    List<String> command = new ArrayList<>(List.of(without.toString(), "process_vm_readv"));
    try (ChildProcess child = publish("at=1")) {
      command.addAll(
          ChildProcess.javaCommand(List.of(), PrintingReader.class, Integer.toString(child.pid())));
      try (ChildProcess other = ChildProcess.start(command)) {
        assertThat(other.readLine()).isEqualTo(new Published(2, 1, CONTEXT).toString());
      }
    }
  }

  @Test
  @Requires(
      root = true,
      commands = {"gcc", "setpriv"})
  void anotherUserIsToldThatPermissionIsDenied(@TempDir Path classes) {
    try (ChildProcess child = publish("at=1");
        ChildProcess stranger =
            ChildProcess.start(
                AnotherUser.javaCommand(
                    classes,
                    List.of(ProcessContextReader.class, PrintingReader.class),
                    PrintingReader.class,
                    Integer.toString(child.pid())))) {
      assertThat(stranger.readLine())
          .isEqualTo(
              new Unreadable(
                      "permission denied reading the mappings of process "
                          + child.pid()
                          + "; run as the same user or as root")
                  .toString());
    }
  }

  private static ChildProcess publish(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("file=" + payload);
    return start(all.toArray(String[]::new));
  }

  private static ChildProcess start(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(publisher.toString());
    command.addAll(List.of(arguments));
    ChildProcess child = ChildProcess.start(command);
    child.expect("ready");
    return child;
  }
}
