/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.EntityRef;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessContextCodecTest {
  private static final ProcessContext EVERY_KIND =
      ProcessContext.builder()
          .resource("service.name", "café ☕ 🧶")
          .resource("empty", "")
          .resource("yes", AttributeValue.of(true))
          .resource("no", AttributeValue.of(false))
          .resource("zero", AttributeValue.of(0))
          .resource("least", AttributeValue.of(Long.MIN_VALUE))
          .resource("pi", AttributeValue.of(Math.PI))
          .resource("nothing", AttributeValue.of(Double.NaN))
          .resource("bytes", AttributeValue.of(new byte[] {0, -1, 127}))
          .attribute(
              "threadlocal.attribute_key_map",
              AttributeValue.ofStrings(List.of("http.route", "user.id")))
          .attribute("no elements", AttributeValue.of(List.of()))
          .attribute("no entries", AttributeValue.of(Map.of()))
          .attribute(
              "mixed",
              AttributeValue.of(
                  List.of(
                      AttributeValue.of(1),
                      AttributeValue.of(Map.of("inner", AttributeValue.of(List.of()))))))
          .attribute("unset", new AttributeValue.Empty())
          .build();

  @Test
  void everyKindOfValueIsEncodedAsTheOfficialClassesDo() {
    assertThat(ProcessContextCodec.encode(EVERY_KIND))
        .isEqualTo(OfficialContexts.toOfficial(EVERY_KIND).toByteArray());
  }

  @Test
  void everyKindOfValueIsDecodedFromTheOfficialClasses() throws Exception {
    assertThat(ProcessContextCodec.decode(OfficialContexts.toOfficial(EVERY_KIND).toByteArray()))
        .isEqualTo(EVERY_KIND);
  }

  @Test
  void theOrderOfKeysIsKept() throws Exception {
    ProcessContext decoded = ProcessContextCodec.decode(ProcessContextCodec.encode(EVERY_KIND));
    assertThat(decoded.resource().keySet())
        .containsExactlyElementsOf(EVERY_KIND.resource().keySet());
    assertThat(decoded.attributes().keySet())
        .containsExactlyElementsOf(EVERY_KIND.attributes().keySet());
  }

  @Test
  void aContextWithoutAttributesIsStillAPayload() throws Exception {
    byte[] payload = ProcessContextCodec.encode(ProcessContext.builder().build());
    assertThat(payload).isNotEmpty();
    assertThat(ProcessContextCodec.decode(payload)).isEqualTo(ProcessContext.builder().build());
    assertThat(ProcessContextCodec.decode(new byte[0])).isEqualTo(ProcessContext.builder().build());
  }

  @Test
  void fieldsThatNobodyKnowsArePassedOver() throws Exception {
    UnknownFieldSet future =
        UnknownFieldSet.newBuilder()
            .addField(
                900,
                UnknownFieldSet.Field.newBuilder()
                    .addVarint(-1)
                    .addFixed32(7)
                    .addFixed64(8)
                    .addLengthDelimited(ByteString.copyFromUtf8("later"))
                    .addGroup(
                        UnknownFieldSet.newBuilder()
                            .addField(1, UnknownFieldSet.Field.newBuilder().addVarint(2).build())
                            .build())
                    .build())
            .build();
    KeyValue entry =
        KeyValue.newBuilder()
            .setUnknownFields(future)
            .setKey("k")
            .setKeyStrindex(3)
            .setValue(AnyValue.newBuilder().setStringValue("v").setUnknownFields(future))
            .build();
    byte[] payload =
        io.opentelemetry.proto.processcontext.v1development.ProcessContext.newBuilder()
            .setUnknownFields(future)
            .setResource(
                Resource.newBuilder()
                    .addAttributes(entry)
                    .setDroppedAttributesCount(5)
                    .addEntityRefs(EntityRef.newBuilder().setType("service").addIdKeys("k"))
                    .setUnknownFields(future))
            .addAttributes(entry)
            .build()
            .toByteArray();
    assertThat(ProcessContextCodec.decode(payload))
        .isEqualTo(
            ProcessContext.builder()
                .resource("k", "v")
                .attribute("k", AttributeValue.of("v"))
                .build());
  }

  @Test
  void ofEqualKeysTheLastCounts() throws Exception {
    byte[] first =
        ProcessContextCodec.encode(ProcessContext.builder().resource("k", "first").build());
    byte[] last =
        ProcessContextCodec.encode(ProcessContext.builder().resource("k", "last").build());
    assertThat(ProcessContextCodec.decode(concatenate(first, last)).resource())
        .containsExactly(Map.entry("k", AttributeValue.of("last")));
  }

  @Test
  void aResourceThatComesTwiceIsMerged() throws Exception {
    byte[] first = ProcessContextCodec.encode(ProcessContext.builder().resource("a", "1").build());
    byte[] second = ProcessContextCodec.encode(ProcessContext.builder().resource("b", "2").build());
    assertThat(ProcessContextCodec.decode(concatenate(first, second)).resource())
        .containsExactly(
            Map.entry("a", AttributeValue.of("1")), Map.entry("b", AttributeValue.of("2")));
  }

  @Test
  void aValueThatComesTwiceIsMergedAsTheOfficialClassesDo() throws Exception {
    AnyValue one =
        AnyValue.newBuilder()
            .setArrayValue(ArrayValue.newBuilder().addValues(AnyValue.newBuilder().setIntValue(1)))
            .build();
    AnyValue two =
        AnyValue.newBuilder()
            .setArrayValue(ArrayValue.newBuilder().addValues(AnyValue.newBuilder().setIntValue(2)))
            .build();
    AnyValue text = AnyValue.newBuilder().setStringValue("text").build();
    byte[] arrays = attribute(KeyValue.newBuilder().setKey("k").setValue(one), value(two));
    byte[] arrayThenText = attribute(KeyValue.newBuilder().setKey("k").setValue(one), value(text));
    for (byte[] payload : List.of(arrays, arrayThenText)) {
      assertThat(ProcessContextCodec.decode(payload))
          .isEqualTo(
              OfficialContexts.fromOfficial(
                  io.opentelemetry.proto.processcontext.v1development.ProcessContext.parseFrom(
                      payload)));
    }
  }

  @Test
  void aOneofForgetsWhatItHeldBeforeAnotherFieldCame() throws Exception {
    // [1], then "text", then [2]. Java's official classes keep the 1, though setting one member of
    // a
    // oneof clears the others.
    byte[] entry =
        HexFormat.of()
            .parseHex("0a016b" + "1212" + "2a040a021801" + "0a0474657874" + "2a040a021802");
    byte[] payload = concatenate(new byte[] {0x12, (byte) entry.length}, entry);
    assertThat(ProcessContextCodec.decode(payload).attributes())
        .containsExactly(Map.entry("k", AttributeValue.of(List.of(AttributeValue.of(2)))));
  }

  @Test
  void anIndexIntoAStringTableIsNoValue() throws Exception {
    byte[] payload =
        attribute(
            KeyValue.newBuilder()
                .setKey("k")
                .setValue(AnyValue.newBuilder().setStringValueStrindex(4)),
            new byte[0]);
    assertThat(ProcessContextCodec.decode(payload).attributes())
        .containsExactly(Map.entry("k", new AttributeValue.Empty()));
  }

  @Test
  void textThatIsNotUtf8IsReplacedWhereItIsWrong() throws Exception {
    byte[] payload = HexFormat.of().parseHex("0a0b" + "0a09" + "0a016b" + "12040a0261ff");
    assertThat(ProcessContextCodec.decode(payload).resource())
        .containsExactly(Map.entry("k", AttributeValue.of("a\uFFFD")));
  }

  @Test
  void whatIsNestedInThirtyTwoLevelsIsReadByTheOfficialClassesToo() throws Exception {
    ProcessContext deep = nested(ProcessContextCodec.MAX_NESTING);
    byte[] payload = ProcessContextCodec.encode(deep);
    assertThat(ProcessContextCodec.decode(payload)).isEqualTo(deep);
    assertThat(
            OfficialContexts.fromOfficial(
                io.opentelemetry.proto.processcontext.v1development.ProcessContext.parseFrom(
                    payload)))
        .isEqualTo(deep);
  }

  @Test
  void whatIsNestedDeeperIsRefusedOnBothWays() {
    ProcessContext deeper = nested(ProcessContextCodec.MAX_NESTING + 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ProcessContextCodec.encode(deeper))
        .withMessageContaining("more than 32 levels");
    byte[] payload = OfficialContexts.toOfficial(deeper).toByteArray();
    assertThatThrownBy(() -> ProcessContextCodec.decode(payload))
        .isInstanceOf(MalformedContextException.class)
        .hasMessageContaining("more than 32 levels");
  }

  @Test
  void thousandsOfLevelsDoNotEndTheStack() {
    ByteString value = text("bottom").toByteString();
    for (int i = 0; i < 5_000; i++) {
      value = field(5, field(1, value));
    }
    byte[] arrays = field(2, field(2, value)).toByteArray();
    assertThatThrownBy(() -> ProcessContextCodec.decode(arrays))
        .isInstanceOf(MalformedContextException.class)
        .hasMessageContaining("more than 32 levels");

    byte[] groups = new byte[100_000];
    Arrays.fill(groups, (byte) 0x7b);
    assertThatThrownBy(() -> ProcessContextCodec.decode(groups))
        .isInstanceOf(MalformedContextException.class)
        .hasMessageContaining("more than 32 groups");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0a                     | ProcessContext, field 1 at offset 0: a varint is cut off after 0 bytes
          0a05 0a                | ProcessContext, field 1 at offset 0: length 5, but 1 bytes follow
          0affffffff0f           | ProcessContext, field 1 at offset 0: length 4294967295, but 0 bytes follow
          0affffffffffffffffff01 | ProcessContext, field 1 at offset 0: length 18446744073709551615, but 0 bytes follow
          0affffffffffffffffff02 | ProcessContext, field 1 at offset 0: a varint has more than 64 bits
          80808080808080808080 01| ProcessContext, tag at offset 0: a varint has more than 64 bits
          00                     | ProcessContext, tag at offset 0: field number 0 does not exist
          8080808080 01          | ProcessContext, tag at offset 0: field number 4294967296 does not exist
          0e                     | ProcessContext, field 1 at offset 0: wire type 6 does not exist
          0f                     | ProcessContext, field 1 at offset 0: wire type 7 does not exist
          1c                     | ProcessContext, field 3 at offset 0: a group ends that was not begun
          1b 24                  | ProcessContext, field 4 at offset 1: a group ends that was not begun
          1b 0800                | ProcessContext, field 1 at offset 1: the group does not end
          19 00000000            | ProcessContext, field 3 at offset 0: needs 8 bytes, but 4 follow
          1d 000000              | ProcessContext, field 3 at offset 0: needs 4 bytes, but 3 follow
          0a04 0a02 0a7f         | KeyValue, field 1 at offset 4: length 127, but 0 bytes follow
          1205 1203 21 0000      | AnyValue, field 4 at offset 4: needs 8 bytes, but 2 follow
          """)
  void whatIsWrongIsNamedWithItsPlaceAndValue(String hex, String complaint) {
    byte[] payload = HexFormat.of().parseHex(hex.replace(" ", ""));
    assertThatThrownBy(() -> ProcessContextCodec.decode(payload))
        .isInstanceOf(MalformedContextException.class)
        .hasMessage(complaint);
  }

  @Test
  void amendingAttributesLeavesEverythingElseByteForByte() throws Exception {
    EntityRef entity = EntityRef.newBuilder().setType("service").addIdKeys("k").build();
    var before =
        OfficialContexts.toOfficial(EVERY_KIND).toBuilder()
            .setResource(
                Resource.newBuilder().setDroppedAttributesCount(3).addEntityRefs(entity).build())
            .clearAttributes()
            .addAttributes(KeyValue.newBuilder().setKey("kept").setValue(text("kept")))
            .addAttributes(KeyValue.newBuilder().setKey("gone").setValue(text("gone")))
            .addAttributes(KeyValue.newBuilder().setKey("new").setValue(text("old")))
            .build();
    byte[] after =
        ProcessContextCodec.amend(
            before.toByteArray(), Map.of("new", AttributeValue.of("new")), Set.of("gone"));
    assertThat(io.opentelemetry.proto.processcontext.v1development.ProcessContext.parseFrom(after))
        .isEqualTo(
            before.toBuilder()
                .clearAttributes()
                .addAttributes(KeyValue.newBuilder().setKey("kept").setValue(text("kept")))
                .addAttributes(KeyValue.newBuilder().setKey("new").setValue(text("new")))
                .build());
  }

  @Test
  void amendingNothingChangesNothing() throws Exception {
    byte[] payload = ProcessContextCodec.encode(EVERY_KIND);
    assertThat(ProcessContextCodec.amend(payload, Map.of(), Set.of())).isEqualTo(payload);
  }

  private static ProcessContext nested(int levels) {
    AttributeValue value = AttributeValue.of("bottom");
    for (int i = 0; i < levels; i++) {
      value = AttributeValue.of(Map.of("k", value));
    }
    return ProcessContext.builder().resource("deep", value).build();
  }

  private static AnyValue text(String text) {
    return AnyValue.newBuilder().setStringValue(text).build();
  }

  /** A payload with one attribute, whose entry goes on with {@code more} bytes. */
  private static byte[] attribute(KeyValue.Builder entry, byte[] more) {
    return field(2, entry.build().toByteString().concat(ByteString.copyFrom(more))).toByteArray();
  }

  /** A field of any message. */
  private static ByteString field(int number, ByteString content) {
    return UnknownFieldSet.newBuilder()
        .addField(number, UnknownFieldSet.Field.newBuilder().addLengthDelimited(content).build())
        .build()
        .toByteString();
  }

  /** Field {@code value} of a KeyValue. */
  private static byte[] value(AnyValue value) {
    return KeyValue.newBuilder().setValue(value).build().toByteArray();
  }

  private static byte[] concatenate(byte[] first, byte[] second) {
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.writeBytes(first);
    both.writeBytes(second);
    return both.toByteArray();
  }
}
