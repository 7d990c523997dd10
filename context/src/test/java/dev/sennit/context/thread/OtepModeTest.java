package dev.sennit.context.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.memory.Memory;
import dev.sennit.context.memory.OsThread;
import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.process.ProcessContext;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class OtepModeTest extends ContextApiContract {
  @Override
  ContextStorageMode mode() {
    return ContextStorageMode.OTEP;
  }

  @Test
  void theRecordHasTheLayoutOfTheOtep() {
    ContextApi.setOtel(TRACE_HIGH, TRACE_LOW, SPAN, 0x03);
    ByteBuffer record = record().order(ByteOrder.BIG_ENDIAN);
    assertThat(record.getLong(0)).as("trace id, W3C order").isEqualTo(TRACE_HIGH);
    assertThat(record.getLong(8)).isEqualTo(TRACE_LOW);
    assertThat(record.getLong(16)).as("span id, W3C order").isEqualTo(SPAN);
    assertThat(record.get(24)).as("valid").isEqualTo((byte) 1);
    assertThat(record.get(25)).as("trace flags").isEqualTo((byte) 3);
    assertThat(record.order(ByteOrder.nativeOrder()).getShort(26)).as("attributes size").isZero();
  }

  @Test
  void attributesAreEntriesOfKeyIndexLengthAndText() {
    AttributeKey route = ContextApi.announce("http.route");
    ContextApi.setOtel(TRACE_HIGH, TRACE_LOW, SPAN, 1);
    assertThat(ContextApi.setAttribute(route, "/é€😀")).isEqualTo(AttributeOutcome.SET);
    byte[] text = "/é€😀".getBytes(StandardCharsets.UTF_8);
    ByteBuffer record = record();
    assertThat(record.getShort(26)).isEqualTo((short) (2 + text.length));
    assertThat(record.get(28)).isEqualTo((byte) route.index());
    assertThat(record.get(29)).isEqualTo((byte) text.length);
    assertThat(Memory.getBytes(recordAddress() + 30, text.length)).isEqualTo(text);
    assertThat(ContextApi.getAttribute(route)).isEqualTo("/é€😀");
  }

  @Test
  void anAttributeSetAgainIsReplaced() {
    AttributeKey a = ContextApi.announce("a");
    AttributeKey b = ContextApi.announce("b");
    ContextApi.setOtel(TRACE_HIGH, TRACE_LOW, SPAN, 1);
    ContextApi.setAttribute(a, "first");
    ContextApi.setAttribute(b, "other");
    assertThat(ContextApi.setAttribute(a, "a longer second")).isEqualTo(AttributeOutcome.SET);
    assertThat(ContextApi.getAttribute(a)).isEqualTo("a longer second");
    assertThat(ContextApi.getAttribute(b)).isEqualTo("other");
    assertThat(record().getShort(26)).isEqualTo((short) (2 + 15 + 2 + 5));
    assertThat(record().get(24)).isEqualTo((byte) 1);
  }

  @Test
  void whatDoesNotFitIsRefusedAndNothingElseIsLost() {
    AttributeKey a = ContextApi.announce("a");
    AttributeKey b = ContextApi.announce("b");
    AttributeKey c = ContextApi.announce("c");
    ContextApi.setOtel(TRACE_HIGH, TRACE_LOW, SPAN, 1);
    assertThat(ContextApi.setAttribute(a, "x".repeat(256)))
        .isEqualTo(AttributeOutcome.VALUE_TOO_LONG);
    assertThat(ContextApi.setAttribute(a, "é".repeat(128)))
        .isEqualTo(AttributeOutcome.VALUE_TOO_LONG);
    assertThat(ContextApi.setAttribute(a, "x".repeat(255))).isEqualTo(AttributeOutcome.SET);
    assertThat(ContextApi.setAttribute(b, "y".repeat(255))).isEqualTo(AttributeOutcome.SET);
    assertThat(ContextApi.setAttribute(c, "z".repeat(97))).isEqualTo(AttributeOutcome.NO_ROOM);
    assertThat(ContextApi.setAttribute(c, "z".repeat(96))).isEqualTo(AttributeOutcome.SET);
    assertThat(record().getShort(26)).isEqualTo((short) 612);
    assertThat(ContextApi.setAttribute(c, "w".repeat(97))).isEqualTo(AttributeOutcome.NO_ROOM);
    assertThat(ContextApi.getAttribute(c)).isEqualTo("z".repeat(96));
    assertThat(ContextApi.getAttribute(b)).isEqualTo("y".repeat(255));
  }

  @Test
  void attributesAreAllowedWithoutASpan() {
    AttributeKey user = ContextApi.announce("user.id");
    assertThat(ContextApi.setAttribute(user, "x".repeat(256)))
        .isEqualTo(AttributeOutcome.VALUE_TOO_LONG);
    assertThat(record().get(24)).as("a refused attribute publishes nothing").isZero();
    assertThat(ContextApi.setAttribute(user, "u1")).isEqualTo(AttributeOutcome.SET);
    assertThat(ContextApi.get(snapshot)).isFalse();
    assertThat(record().get(24)).isEqualTo((byte) 1);
    assertThat(record().getLong(0) | record().getLong(8) | record().getLong(16)).isZero();
    assertThat(ContextApi.getAttribute(user)).isEqualTo("u1");
  }

  @Test
  void aNewSpanDropsTheAttributesOfTheOld() {
    AttributeKey user = ContextApi.announce("user.id");
    ContextApi.setOtel(TRACE_HIGH, TRACE_LOW, SPAN, 1);
    ContextApi.setAttribute(user, "u1");
    ContextApi.setOtel(TRACE_HIGH, TRACE_LOW, SPAN + 1, 1);
    assertThat(ContextApi.getAttribute(user)).isNull();
  }

  @Test
  void anotherRootIsAnAttribute() {
    ContextApi.set(TRACE_HIGH, TRACE_LOW, SPAN, ROOT, 1);
    assertThat(ContextApi.get(snapshot)).isTrue();
    assertSnapshot(TRACE_HIGH, TRACE_LOW, SPAN, ROOT, 1);
    assertThat(ThreadContext.current().getRootSpanId()).isEqualTo(ROOT);
    assertThat(record().getShort(26)).isEqualTo((short) 18);
    assertThat(new String(Memory.getBytes(recordAddress() + 30, 16), StandardCharsets.US_ASCII))
        .isEqualTo("1020304050607080");
  }

  @Test
  void halfAContextIsNone() {
    ContextApi.set(SPAN, 0);
    assertThat(record().get(24)).as("valid").isZero();
    ContextApi.setOtel(TRACE_HIGH, TRACE_LOW, 0);
    assertThat(record().get(24)).as("valid").isZero();
  }

  @Test
  void theKeysAreAnnouncedInTheProcessContext() {
    ContextApi.shutdown();
    ContextApi.initialize("ctxstorage=otep,attributes=http.route;user.id");
    ContextApi.announce("late.key");
    ProcessContext published = PublishedAttributes.of(ProcessHandle.current().pid());
    assertThat(published.attributes())
        .containsEntry("threadlocal.schema_version", AttributeValue.of("tlsdesc_v1_dev"))
        .containsEntry(
            "threadlocal.attribute_key_map",
            AttributeValue.ofStrings(
                List.of("sennit.local_root_span_id", "http.route", "user.id", "late.key")));
  }

  @Test
  void otherThreadsCannotBeReadInTheProcess() {
    ContextApi.setOtel(TRACE_HIGH, TRACE_LOW, SPAN, 1);
    assertThat(ContextApi.getByTid(OsThread.id(), snapshot)).isFalse();
  }

  private static long recordAddress() {
    ThreadBlocks blocks = ThreadBlocks.openExposed();
    if (blocks == null) {
      throw new AssertionError(ThreadBlocks.nativeProblem());
    }
    return blocks.current() + ThreadBlockDescriptor.OTEP_RECORD_OFFSET;
  }

  private static ByteBuffer record() {
    return ByteBuffer.wrap(Memory.getBytes(recordAddress(), 640)).order(ByteOrder.nativeOrder());
  }
}
