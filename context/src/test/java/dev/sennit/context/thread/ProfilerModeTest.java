package dev.sennit.context.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sennit.context.memory.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class ProfilerModeTest extends ContextApiContract {
  @Override
  ContextStorageMode mode() {
    return ContextStorageMode.PROFILER;
  }

  @Test
  void theRecordHasTheLayoutThatProfilersKnow() {
    AttributeKey first = ContextApi.announce("first");
    ContextApi.set(TRACE_HIGH, TRACE_LOW, SPAN, ROOT, 0x83);
    assertThat(ContextApi.setAttribute(first, "one")).isEqualTo(AttributeOutcome.SET);
    ByteBuffer record = record();
    assertThat(record.getLong(0)).isEqualTo(SPAN);
    assertThat(record.getLong(8)).isEqualTo(ROOT);
    assertThat(record.getLong(16)).isEqualTo(ThreadContext.current().put(SPAN, ROOT));
    assertThat(record.getInt(24)).isEqualTo(1);
    assertThat(record.getInt(28)).isZero();
    assertThat(record.getLong(64)).isEqualTo(TRACE_HIGH);
    assertThat(record.getLong(72)).isEqualTo(TRACE_LOW);
    assertThat(record.getLong(80)).isEqualTo(0x83);
  }

  @Test
  void aWriteInProgressIsNotRead() {
    ContextApi.set(SPAN, ROOT);
    long checksum = record().getLong(16);
    Memory.putLong(recordAddress() + 16, 0);
    assertThat(ContextApi.get(snapshot)).isFalse();
    Memory.putLong(recordAddress() + 16, checksum + 1);
    assertThat(ContextApi.get(snapshot)).isFalse();
    Memory.putLong(recordAddress() + 16, checksum);
    assertThat(ContextApi.get(snapshot)).isTrue();
  }

  @Test
  void theChecksumIsNeverZero() {
    assertThat(ProfilerRecordDescriptor.checksum(0, 0)).isNotZero();
    assertThat(ProfilerRecordDescriptor.checksum(5, Long.rotateRight(5, 32))).isNotZero();
  }

  @Test
  void anotherRootIsKept() {
    ContextApi.set(TRACE_HIGH, TRACE_LOW, SPAN, ROOT, 1);
    assertThat(ContextApi.get(snapshot)).isTrue();
    assertSnapshot(TRACE_HIGH, TRACE_LOW, SPAN, ROOT, 1);
  }

  @Test
  void tenKeysHoldValuesUntilTheNextSpan() {
    for (int i = 0; i < 10; i++) {
      AttributeKey key = ContextApi.announce("key" + i);
      assertThat(ContextApi.setAttribute(key, "value" + i)).isEqualTo(AttributeOutcome.SET);
      assertThat(ContextApi.getAttribute(key)).isEqualTo("value" + i);
    }
    assertThatThrownBy(() -> ContextApi.announce("key10"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("'key10'")
        .hasMessageContaining("holds 10 keys");
    ContextApi.set(SPAN, ROOT);
    assertThat(ContextApi.getAttribute(ContextApi.announce("key3"))).isNull();
  }

  @Test
  void theDictionaryOfValuesIsBounded() {
    AttributeKey key = ContextApi.announce("key");
    for (int i = 0; i < TagValues.MAX_VALUES; i++) {
      assertThat(ContextApi.setAttribute(key, "v" + i)).isEqualTo(AttributeOutcome.SET);
    }
    assertThat(ContextApi.setAttribute(key, "one too many")).isEqualTo(AttributeOutcome.NO_ROOM);
    assertThat(ContextApi.setAttribute(key, "v17")).isEqualTo(AttributeOutcome.SET);
    assertThat(ContextApi.getAttribute(key)).isEqualTo("v17");
  }

  @Test
  void otherThreadsCannotBeRead() {
    ContextApi.set(SPAN, ROOT);
    assertThat(ContextApi.getByTid(dev.sennit.context.memory.OsThread.id(), snapshot)).isFalse();
  }

  private static long recordAddress() {
    return ThreadBlocks.open().current() + ThreadBlockDescriptor.PROFILER_RECORD_OFFSET;
  }

  private static ByteBuffer record() {
    return ByteBuffer.wrap(Memory.getBytes(recordAddress(), 96)).order(ByteOrder.nativeOrder());
  }
}
