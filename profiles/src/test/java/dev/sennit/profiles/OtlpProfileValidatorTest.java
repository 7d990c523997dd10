/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.protobuf.ByteString;
import dev.sennit.profiles.dictionary.ProfilesDictionary;
import dev.sennit.profiles.dictionary.SampleIdentities;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.profiles.v1development.Function;
import io.opentelemetry.proto.profiles.v1development.KeyValueAndUnit;
import io.opentelemetry.proto.profiles.v1development.Line;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Mapping;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.Stack;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every rule broken by itself, in bytes that the official classes wrote. */
class OtlpProfileValidatorTest {
  private static final long TIME = 1000;

  @Property(tries = 30)
  void whatIsWrittenIsValid(@ForAll int seed, @ForAll @IntRange(min = 1, max = 200) int samples) {
    ProfileExport export = Fixtures.export(seed, samples);
    ValidationResult encoded =
        OtlpProfileValidator.validate(OtlpProfileWriter.toByteArray(export, Kind.PROTO));
    assertThat(encoded.findings()).isEmpty();
    ValidationResult model = OtlpProfileValidator.validateProfile(export);
    assertThat(model.isValid()).isTrue();
    assertThat(model.warnings())
        .extracting(ValidationResult.Finding::toString)
        .contains(
            "warning: string_table[1]: is an orphan: nothing refers to it, and it will not be"
                + " written");
    assertThat(OtlpProfileValidator.validateDictionaries(export.dictionary()).findings()).isEmpty();
    assertThat(
            OtlpProfileValidator.validateSamples(export.profiles().get(0), export.dictionary())
                .findings())
        .isEmpty();
  }

  @Test
  void theSmallProfileOfThisTestIsValid() throws IOException {
    byte[] bytes = small().build().toByteArray();
    assertThat(OtlpProfileValidator.validate(bytes).findings()).isEmpty();
    assertThat(OtlpProfileValidator.validate(new ByteArrayInputStream(bytes)).findings()).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("breaches")
  void aBrokenRuleIsTheOneFinding(String finding, Consumer<ProfilesData.Builder> breach) {
    ProfilesData.Builder data = small();
    breach.accept(data);
    assertThat(OtlpProfileValidator.validate(data.build().toByteArray()).findings())
        .extracting(ValidationResult.Finding::toString)
        .containsExactly(finding);
  }

  static Stream<Arguments> breaches() {
    String profile = "resource_profiles[0].scope_profiles[0].profiles[0]";
    return Stream.of(
        breach(
            "error: string_table[0]: is \"x\", but has to be empty",
            d -> d.getDictionaryBuilder().setStringTable(0, "x")),
        breach(
            "error: mapping_table[0]: is not the zero value",
            d -> d.getDictionaryBuilder().getMappingTableBuilder(0).setFileOffset(1)),
        breach(
            "error: location_table[0]: is not the zero value",
            d -> d.getDictionaryBuilder().getLocationTableBuilder(0).setAddress(1)),
        breach(
            "error: function_table[0]: is not the zero value",
            d -> d.getDictionaryBuilder().getFunctionTableBuilder(0).setStartLine(1)),
        breach(
            "error: link_table[0]: is not the zero value",
            d -> d.getDictionaryBuilder().getLinkTableBuilder(0).setSpanId(id(8, 1))),
        breach(
            "error: attribute_table[0]: is not the zero value",
            d ->
                d.getDictionaryBuilder()
                    .getAttributeTableBuilder(0)
                    .setValue(AnyValue.newBuilder().setStringValue(""))),
        breach(
            "error: stack_table[0]: is not the zero value",
            d -> d.getDictionaryBuilder().getStackTableBuilder(0).addLocationIndices(0)),
        breach(
            "warning: link_table[0]: has ids of zeros, which profcheck refuses; empty ids are safe",
            d ->
                d.getDictionaryBuilder()
                    .getLinkTableBuilder(0)
                    .setTraceId(id(16, 0))
                    .setSpanId(id(8, 0))),
        breach(
            "error: mapping_table: is empty; index 0 has to be there, the zero value",
            d -> {
              d.getDictionaryBuilder().clearMappingTable();
              d.getDictionaryBuilder().getLocationTableBuilder(1).clearMappingIndex();
              profile(d).getPeriodTypeBuilder().setUnitStrindex(6);
            }),
        breach(
            "error: string_table[8]: is a duplicate of string_table[1]: \"samples\"",
            d -> {
              d.getDictionaryBuilder().addStringTable("samples");
              profile(d).getPeriodTypeBuilder().setUnitStrindex(8);
            }),
        breach(
            "error: function_table[2]: is a duplicate of function_table[1]: name_strindex 3",
            d -> {
              var dictionary = d.getDictionaryBuilder();
              dictionary.addFunctionTable(dictionary.getFunctionTable(1));
              dictionary.getLocationTableBuilder(1).addLines(Line.newBuilder().setFunctionIndex(2));
            }),
        breach(
            "error: location_table[2]: is a duplicate of location_table[1]: address 0x1010",
            d -> {
              var dictionary = d.getDictionaryBuilder();
              dictionary.addLocationTable(dictionary.getLocationTable(1));
              dictionary.getStackTableBuilder(1).addLocationIndices(2);
            }),
        breach(
            "error: mapping_table[2]: is a duplicate of mapping_table[1]: filename_strindex 6",
            d -> {
              var dictionary = d.getDictionaryBuilder();
              dictionary.addMappingTable(dictionary.getMappingTable(1));
              dictionary.addLocationTable(
                  dictionary.getLocationTable(1).toBuilder().setMappingIndex(2));
              dictionary.getStackTableBuilder(1).addLocationIndices(2);
            }),
        breach(
            "error: stack_table[2]: is a duplicate of stack_table[1]: 1 locations",
            d -> {
              d.getDictionaryBuilder().addStackTable(d.getDictionaryBuilder().getStackTable(1));
              profile(d).getSamplesBuilder(1).setStackIndex(2);
            }),
        breach(
            "error: link_table[2]: is a duplicate of link_table[1]: span_id 202020202020202",
            d -> {
              d.getDictionaryBuilder().addLinkTable(d.getDictionaryBuilder().getLinkTable(1));
              profile(d).getSamplesBuilder(1).setLinkIndex(2);
            }),
        breach(
            "error: attribute_table[2]: is a duplicate of attribute_table[1]: key \"thread.name\"",
            d -> {
              d.getDictionaryBuilder()
                  .addAttributeTable(d.getDictionaryBuilder().getAttributeTable(1));
              profile(d).addAttributeIndices(2);
            }),
        breach(
            "error: string_table[8]: is an orphan: nothing refers to it",
            d -> d.getDictionaryBuilder().addStringTable("unused")),
        breach(
            "error: stack_table[2]: is an orphan: nothing refers to it",
            d ->
                d.getDictionaryBuilder()
                    .addStackTable(Stack.newBuilder().addLocationIndices(1).addLocationIndices(1))),
        breach(
            "error: " + profile + ".samples[0]: stack_index is 9, but stack_table has 2 entries",
            d -> {
              profile(d).getSamplesBuilder(0).setStackIndex(9);
              profile(d).getSamplesBuilder(1).setStackIndex(1);
            }),
        breach(
            "error: " + profile + ".samples[1]: link_index is -1, but link_table has 2 entries",
            d -> profile(d).getSamplesBuilder(1).setLinkIndex(-1)),
        breach(
            "error: "
                + profile
                + ": period_type.unit_strindex is 77, but string_table has 8 entries",
            d -> profile(d).getPeriodTypeBuilder().setUnitStrindex(77)),
        breach(
            "error: location_table[1].lines[1]: function_index is 5, but function_table has 2"
                + " entries",
            d ->
                d.getDictionaryBuilder()
                    .getLocationTableBuilder(1)
                    .addLines(Line.newBuilder().setFunctionIndex(5))),
        breach(
            "error: location_table[1].lines[0]: line is -3, below 0",
            d ->
                d.getDictionaryBuilder().getLocationTableBuilder(1).getLinesBuilder(0).setLine(-3)),
        breach(
            "error: function_table[1]: start_line is -1, below 0",
            d -> d.getDictionaryBuilder().getFunctionTableBuilder(1).setStartLine(-1)),
        breach(
            "error: mapping_table[1]: memory_start 0x2000 is not below memory_limit 0x0",
            d ->
                d.getDictionaryBuilder()
                    .getMappingTableBuilder(1)
                    .setMemoryStart(0x2000)
                    .clearMemoryLimit()),
        breach(
            "warning: location_table[1]: address 0x10 is not in its mapping_table[1], 0x1000 to"
                + " 0x2000",
            d -> d.getDictionaryBuilder().getLocationTableBuilder(1).setAddress(0x10)),
        breach(
            "error: link_table[1]: trace_id has 15 bytes and span_id 8, but they have to have 16"
                + " and 8",
            d -> d.getDictionaryBuilder().getLinkTableBuilder(1).setTraceId(id(15, 1))),
        breach(
            "error: link_table[1]: trace_id is all zero",
            d -> d.getDictionaryBuilder().getLinkTableBuilder(1).setTraceId(id(16, 0))),
        breach(
            "error: link_table[1]: span_id is all zero",
            d -> d.getDictionaryBuilder().getLinkTableBuilder(1).setSpanId(id(8, 0))),
        breach(
            "error: "
                + profile
                + ".samples[0]: attribute_indices[1] is 2, whose key \"thread.name\" another in the"
                + " list has too",
            d -> {
              d.getDictionaryBuilder()
                  .addAttributeTable(
                      KeyValueAndUnit.newBuilder()
                          .setKeyStrindex(5)
                          .setValue(AnyValue.newBuilder().setIntValue(7)));
              profile(d).getSamplesBuilder(0).addAttributeIndices(2);
            }),
        breach(
            "error: attribute_table[2]: has no key",
            d -> {
              d.getDictionaryBuilder()
                  .addAttributeTable(
                      KeyValueAndUnit.newBuilder().setValue(AnyValue.newBuilder().setIntValue(7)));
              profile(d).addAttributeIndices(2);
            }),
        breach(
            "error: " + profile + ".samples[0]: has neither values nor timestamps",
            d -> profile(d).getSamplesBuilder(0).clearValues().clearTimestampsUnixNano()),
        breach(
            "error: " + profile + ".samples[0]: has 1 values, but 2 timestamps",
            d -> profile(d).getSamplesBuilder(0).addTimestampsUnixNano(TIME)),
        breach(
            "error: "
                + profile
                + ".samples[1]: is of the shape TIMESTAMPS, others of the profile are"
                + " TIMESTAMPS_AND_VALUES",
            d -> profile(d).getSamplesBuilder(1).clearValues()),
        breach(
            "error: "
                + profile
                + ".samples[0]: has 2 values and no timestamps; one value has to be the sum",
            d -> {
              profile(d).removeSamples(1);
              profile(d).getSamplesBuilder(0).addValues(3).clearTimestampsUnixNano();
            }),
        breach(
            "error: "
                + profile
                + ".samples[1]: timestamps_unix_nano[0] is 1100, not in the profile's time from"
                + " 1000 until before 1100",
            d -> profile(d).getSamplesBuilder(1).setTimestampsUnixNano(0, TIME + 100)),
        breach(
            "error: "
                + profile
                + ".samples[1]: timestamps_unix_nano[0] is 999, not in the profile's time from 1000"
                + " until before 1100",
            d -> profile(d).getSamplesBuilder(1).setTimestampsUnixNano(0, TIME - 1)),
        breach(
            "error: "
                + profile
                + ".samples[2]: has the stack, attributes and link of samples[0]; the two are one"
                + " sample",
            d -> profile(d).addSamples(profile(d).getSamples(0))),
        breach(
            "error: " + profile + ": profile_id has 4 bytes, not 16",
            d -> profile(d).setProfileId(id(4, 1))),
        breach(
            "error: " + profile + ": profile_id is all zero",
            d -> profile(d).setProfileId(id(16, 0))),
        breach(
            "error: " + profile + ": original_payload is set without original_payload_format",
            d -> profile(d).setOriginalPayload(id(3, 1))),
        breach(
            "error: " + profile + ": original_payload_format is set without original_payload",
            d -> profile(d).setOriginalPayloadFormat("jfr")),
        breach(
            "error: resource_profiles[0].resource: has the attribute \"service.name\" twice",
            d -> {
              var resource = d.getResourceProfilesBuilder(0).getResourceBuilder();
              resource.addAttributes(KeyValue.newBuilder().setKey("service.name"));
              resource.addAttributes(KeyValue.newBuilder().setKey("service.name"));
            }),
        breach(
            "error: resource_profiles[1]: has no scope_profiles",
            d -> d.addResourceProfilesBuilder()),
        breach(
            "error: resource_profiles[0].scope_profiles[1]: has no profiles",
            d -> d.getResourceProfilesBuilder(0).addScopeProfilesBuilder()));
  }

  @Test
  void withoutResourcesEverythingIsMissing() {
    assertThat(OtlpProfileValidator.validate(new byte[0]).errors())
        .hasSize(8)
        .extracting(ValidationResult.Finding::toString)
        .contains("error: ProfilesData: has no resource_profiles");
  }

  @Test
  void jsonIsRecognised() {
    byte[] json = OtlpProfileWriter.toByteArray(Fixtures.export(1, 1), Kind.JSON);
    assertThat(OtlpProfileValidator.validate(json).errors())
        .singleElement()
        .hasToString(
            "error: ProfilesData: is JSON, as it begins with '{'; protobuf is what is checked");
  }

  @Property(tries = 1000)
  void damagedBytesGiveAResultAndNoException(
      @ForAll @IntRange(max = 20) int seed,
      @ForAll @IntRange(max = 100_000) int place,
      @ForAll byte value) {
    byte[] bytes = OtlpProfileWriter.toByteArray(Fixtures.export(seed, 5), Kind.PROTO);
    bytes[place % bytes.length] = value;
    assertThat(OtlpProfileValidator.validate(bytes)).isNotNull();
    byte[] cut = Arrays.copyOf(bytes, place % bytes.length);
    assertThat(OtlpProfileValidator.validate(cut).isValid()).isFalse();
  }

  @Property(tries = 1000)
  void anyBytesGiveAResultAndNoException(@ForAll byte[] bytes) {
    assertThat(OtlpProfileValidator.validate(bytes).isValid()).isFalse();
  }

  @Test
  void veryManyFindingsAreCounted() {
    ProfilesData.Builder data = small();
    for (int i = 0; i < 2000; i++) {
      data.getDictionaryBuilder().addStringTable("unused " + i);
    }
    ValidationResult result = OtlpProfileValidator.validate(data.build().toByteArray());
    assertThat(result.findings()).hasSize(500);
    assertThat(result.omitted()).isEqualTo(1500);
  }

  @Test
  void theModelIsHeldToTheSameRules() {
    ProfilesDictionary dictionary = new ProfilesDictionary();
    dictionary.functions().intern(42, 0, 0, -1);
    dictionary.links().intern(0, 0, 1);
    SampleIdentities identities = new SampleIdentities();
    EventColumns events = EventColumns.ofTimestamps();
    events.add(identities.intern(9, 0, 0), TIME, 1);
    Profile profile = Profile.of(identities, events).build();
    assertThat(OtlpProfileValidator.validateDictionaries(dictionary).errors())
        .extracting(ValidationResult.Finding::toString)
        .containsExactly(
            "error: function_table[1]: name_strindex is 42, but string_table has 1 entries",
            "error: function_table[1]: start_line is -1, below 0",
            "error: link_table[1]: trace_id is all zero");
    assertThat(OtlpProfileValidator.validateSamples(profile, dictionary).errors())
        .extracting(ValidationResult.Finding::toString)
        .containsExactly(
            "error: profiles[0].samples[0]: stack_index is 9, but stack_table has 1 entries",
            "error: profiles[0].samples[0]: timestamps_unix_nano[0] is 1000, not in the profile's"
                + " time from 0 until before 0");
    assertThat(
            OtlpProfileValidator.validateProfile(
                    new ProfileExport(Map.of(), "", "", "", List.of(profile), dictionary))
                .errors())
        .hasSize(5);
  }

  private static Arguments breach(String finding, Consumer<ProfilesData.Builder> breach) {
    return arguments(finding, breach);
  }

  private static io.opentelemetry.proto.profiles.v1development.Profile.Builder profile(
      ProfilesData.Builder data) {
    return data.getResourceProfilesBuilder(0).getScopeProfilesBuilder(0).getProfilesBuilder(0);
  }

  /** Two samples with one of everything, and nothing to complain of. */
  private static ProfilesData.Builder small() {
    ProfilesData.Builder data = ProfilesData.newBuilder();
    data.getDictionaryBuilder()
        .addAllStringTable(
            List.of("", "samples", "count", "main", "Main.java", "thread.name", "/lib/x", "cpu"))
        .addFunctionTable(Function.getDefaultInstance())
        .addFunctionTable(Function.newBuilder().setNameStrindex(3).setFilenameStrindex(4))
        .addMappingTable(Mapping.getDefaultInstance())
        .addMappingTable(
            Mapping.newBuilder()
                .setMemoryStart(0x1000)
                .setMemoryLimit(0x2000)
                .setFilenameStrindex(6))
        .addLocationTable(Location.getDefaultInstance())
        .addLocationTable(
            Location.newBuilder()
                .setMappingIndex(1)
                .setAddress(0x1010)
                .addLines(Line.newBuilder().setFunctionIndex(1).setLine(3)))
        .addStackTable(Stack.getDefaultInstance())
        .addStackTable(Stack.newBuilder().addLocationIndices(1))
        .addLinkTable(Link.getDefaultInstance())
        .addLinkTable(Link.newBuilder().setTraceId(id(16, 1)).setSpanId(id(8, 2)))
        .addAttributeTable(KeyValueAndUnit.getDefaultInstance())
        .addAttributeTable(
            KeyValueAndUnit.newBuilder()
                .setKeyStrindex(5)
                .setValue(AnyValue.newBuilder().setStringValue("main")));
    var profile = data.addResourceProfilesBuilder().addScopeProfilesBuilder().addProfilesBuilder();
    profile.getSampleTypeBuilder().setTypeStrindex(1).setUnitStrindex(2);
    profile.getPeriodTypeBuilder().setTypeStrindex(7);
    profile.setTimeUnixNano(TIME).setDurationNano(100);
    profile.addSamples(
        Sample.newBuilder()
            .setStackIndex(1)
            .setLinkIndex(1)
            .addAttributeIndices(1)
            .addValues(1)
            .addTimestampsUnixNano(TIME));
    profile.addSamples(Sample.newBuilder().addValues(1).addTimestampsUnixNano(TIME + 99));
    return data;
  }

  private static ByteString id(int length, int value) {
    byte[] id = new byte[length];
    Arrays.fill(id, (byte) value);
    return ByteString.copyFrom(id);
  }
}
