/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.thread.OtepRecordDescriptor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OtepRecordTest {
  private static final List<String> KEYS = List.of("a", "b", "", "sennit.local_root_span_id");

  @Test
  void idsAreInTheOrderOfW3c() {
    ThreadRecord record = decodePresent(record(1, 3, "0af7651916cd43dd8448eb211c80319c"));

    assertThat(record.traceIdHigh()).isEqualTo(0x0af7651916cd43ddL);
    assertThat(record.traceIdLow()).isEqualTo(0x8448eb211c80319cL);
    assertThat(record.spanId()).isEqualTo(0xb7ad6b7169203331L);
    assertThat(record.rootSpanId()).isEqualTo(record.traceIdLow());
    assertThat(record.flags()).isEqualTo(3);
    assertThat(record.attributes()).isEmpty();
  }

  @Test
  void onlyTheValueOneIsValid() {
    for (int valid = 0; valid < 256; valid++) {
      assertThat(decode(record(valid, 1, "0af7651916cd43dd8448eb211c80319c")) != null)
          .isEqualTo(valid == 1);
    }
  }

  @Test
  void aRecordThatIsCutBeforeItsAttributesIsNone() {
    byte[] whole = record(1, 1, "0af7651916cd43dd8448eb211c80319c");
    for (int length = 0; length < whole.length; length++) {
      assertThat(decode(Arrays.copyOf(whole, length))).isNull();
    }
  }

  @Test
  void keysWithoutANameAreIgnored() {
    byte[] record =
        record(1, 1, "0af7651916cd43dd8448eb211c80319c", entry(2, "x"), entry(200, "y"));
    assertThat(decodePresent(record).attributes()).isEmpty();
    assertThat(decodePresent(record).spanId()).isNotZero();
  }

  @Test
  void theLocalRootIsNoAttribute() {
    byte[] record =
        record(
            1, 1, "0af7651916cd43dd8448eb211c80319c", entry(3, "ffffffffffffffff"), entry(1, "x"));
    assertThat(decodePresent(record).rootSpanId()).isEqualTo(-1);
    assertThat(decodePresent(record).attributes()).isEqualTo(Map.of("b", "x"));
  }

  @Test
  void bytesThatAreNoUtf8AreReplaced() {
    byte[] record =
        record(1, 1, "0af7651916cd43dd8448eb211c80319c", new byte[] {0, 2, (byte) 0xC3, 'x'});
    assertThat(decodePresent(record).attributes()).isEqualTo(Map.of("a", "\uFFFDx"));
  }

  @Property
  void noBytesAtAllMakeItThrow(@ForAll @Size(max = 640) byte[] bytes, @ForAll boolean valid) {
    if (valid && bytes.length > OtepRecordDescriptor.VALID_OFFSET) {
      bytes[OtepRecordDescriptor.VALID_OFFSET] = 1;
    }
    @Nullable ThreadRecord record = decode(bytes);
    if (record != null) {
      assertThat(KEYS).containsAll(record.attributes().keySet());
    }
  }

  @Test
  void keysThatAreNoStringsKeepThePlacesOfTheOthers() {
    ProcessContext context =
        ProcessContext.builder()
            .attribute(
                OtepRecordDescriptor.ATTRIBUTE_KEY_MAP_KEY,
                AttributeValue.of(
                    List.of(AttributeValue.of("a"), AttributeValue.of(7), AttributeValue.of("c"))))
            .build();
    assertThat(OtepRecord.keys(context)).containsExactly("a", "", "c");
    assertThat(OtepRecord.keys(ProcessContext.builder().build())).isEmpty();
  }

  private static ThreadRecord decodePresent(byte[] bytes) {
    return Objects.requireNonNull(decode(bytes));
  }

  private static @Nullable ThreadRecord decode(byte[] bytes) {
    return OtepRecord.decode(bytes, KEYS, new ThreadDirectory.Known(1, "t"));
  }

  private static byte[] record(int valid, int flags, String traceId, byte[]... entries) {
    ByteBuffer buffer = ByteBuffer.allocate(OtepRecordDescriptor.MAX_LENGTH);
    buffer.putLong(Long.parseUnsignedLong(traceId.substring(0, 16), 16));
    buffer.putLong(Long.parseUnsignedLong(traceId.substring(16), 16));
    buffer.putLong(0xb7ad6b7169203331L);
    buffer.put((byte) valid).put((byte) flags);
    int size = 0;
    for (byte[] entry : entries) {
      size += entry.length;
    }
    buffer.order(ByteOrder.nativeOrder()).putShort((short) size);
    for (byte[] entry : entries) {
      buffer.put(entry);
    }
    byte[] result = new byte[buffer.position()];
    buffer.get(0, result);
    return result;
  }

  private static byte[] entry(int key, String value) {
    byte[] text = value.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(2 + text.length)
        .put((byte) key)
        .put((byte) text.length)
        .put(text)
        .array();
  }
}
