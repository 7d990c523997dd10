/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.protobuf.ByteString;
import dev.sennit.profiles.dictionary.ProfilesDictionary;
import dev.sennit.profiles.dictionary.SampleIdentities;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The output, decoded with the official classes, says what the model says. */
class OtlpProfileWriterTest {
  @Property(tries = 40)
  void protobufSaysWhatTheModelSays(
      @ForAll int seed, @ForAll @IntRange(min = 1, max = 300) int samples) throws IOException {
    ProfileExport export = Fixtures.export(seed, samples);
    ProfilesData data = ProfilesData.parseFrom(OtlpProfileWriter.toByteArray(export, Kind.PROTO));
    assertThat(Official.describe(data)).isEqualTo(Official.describe(export));
  }

  @Property(tries = 20)
  void jsonSaysWhatProtobufSays(@ForAll int seed, @ForAll @IntRange(min = 1, max = 100) int samples)
      throws IOException {
    ProfileExport export = Fixtures.export(seed, samples);
    ProfilesData proto = ProfilesData.parseFrom(OtlpProfileWriter.toByteArray(export, Kind.PROTO));
    assertThat(Official.parseJson(OtlpProfileWriter.toByteArray(export, Kind.JSON)))
        .isEqualTo(proto);
    assertThat(Official.parseJson(OtlpProfileWriter.toByteArray(export, Kind.JSON_PRETTY)))
        .isEqualTo(proto);
  }

  @Test
  void theBytesAreThoseThatTheOfficialClassesWrite() throws IOException {
    byte[] bytes = OtlpProfileWriter.toByteArray(Fixtures.export(1, 500), Kind.PROTO);
    assertThat(ProfilesData.parseFrom(bytes).toByteArray()).isEqualTo(bytes);
    assertThat(ExportProfilesServiceRequest.parseFrom(bytes).toByteArray()).isEqualTo(bytes);
  }

  @Test
  void resourceScopeAndHeadAreWritten() throws IOException {
    ProfileExport export = Fixtures.export(2, 10);
    ProfilesData data = ProfilesData.parseFrom(OtlpProfileWriter.toByteArray(export, Kind.PROTO));
    var resource = data.getResourceProfiles(0);
    assertThat(resource.getResource().getAttributesList())
        .extracting(attribute -> Map.entry(attribute.getKey(), attribute.getValue()))
        .isEqualTo(
            export.resource().entrySet().stream()
                .map(entry -> Map.entry(entry.getKey(), Official.value(entry.getValue())))
                .toList());
    assertThat(resource.getSchemaUrl()).isEqualTo(export.schemaUrl());
    assertThat(resource.getScopeProfiles(0).getScope().getName()).isEqualTo("dev.sennit");
    assertThat(resource.getScopeProfiles(0).getScope().getVersion()).isEqualTo("1.0");
    assertThat(resource.getScopeProfiles(0).getSchemaUrl()).isEqualTo(export.schemaUrl());
    var profile = resource.getScopeProfiles(0).getProfiles(1);
    assertThat(profile.getOriginalPayloadFormat()).isEqualTo("jfr");
    assertThat(profile.getOriginalPayload().toByteArray()).containsExactly(1, 2, 3, 4, 5);
    assertThat(HexFormat.of().formatHex(profile.getProfileId().toByteArray()))
        .isEqualTo(
            "%016x%016x"
                .formatted(
                    export.profiles().get(1).profileIdHigh(),
                    export.profiles().get(1).profileIdLow()));
  }

  @Test
  void everyTableBeginsWithItsZeroEntryAndTheLinkIsEmpty() throws IOException {
    var dictionary =
        ProfilesData.parseFrom(
                OtlpProfileWriter.toByteArray(
                    new ProfileExport(
                        Map.of(), "", "", "", List.of(empty()), new ProfilesDictionary()),
                    Kind.PROTO))
            .getDictionary();
    assertThat(dictionary.getMappingTableList()).hasSize(1);
    assertThat(dictionary.getLocationTableList()).hasSize(1);
    assertThat(dictionary.getFunctionTableList()).hasSize(1);
    assertThat(dictionary.getLinkTableList()).containsExactly(Link.getDefaultInstance());
    assertThat(dictionary.getStringTableList()).containsExactly("");
    assertThat(dictionary.getAttributeTableList()).hasSize(1);
    assertThat(dictionary.getStackTableList()).hasSize(1);
  }

  @Test
  void whatNothingRefersToIsNotWritten() throws IOException {
    ProfilesData data =
        ProfilesData.parseFrom(OtlpProfileWriter.toByteArray(Fixtures.export(3, 10), Kind.PROTO));
    assertThat(data.getDictionary().getStringTableList()).doesNotContain("an orphan");
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void theStreamHasTheSameBytesAsTheArray(Kind kind) throws IOException {
    ProfileExport export = Fixtures.export(4, 2000);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    OtlpProfileWriter.write(export, kind, out);
    assertThat(out.toByteArray()).isEqualTo(OtlpProfileWriter.toByteArray(export, kind));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void partsAreSmallEnoughValidAndCompleteTogether(Kind kind) throws IOException {
    ProfileExport export = Fixtures.export(5, 400);
    int maxBytes = kind == Kind.PROTO ? 20_000 : 90_000;
    List<ByteArrayOutputStream> parts = new ArrayList<>();
    int count =
        OtlpProfileWriter.writeSplit(
            export,
            kind,
            maxBytes,
            part -> {
              assertThat(part).isEqualTo(parts.size());
              parts.add(new ByteArrayOutputStream());
              return parts.getLast();
            });
    assertThat(parts).hasSize(count).hasSizeGreaterThan(3);
    List<String> samples = new ArrayList<>();
    Set<ByteString> ids = new HashSet<>();
    int payloads = 0;
    for (ByteArrayOutputStream part : parts) {
      assertThat(part.size()).isLessThanOrEqualTo(maxBytes);
      ProfilesData data =
          kind == Kind.PROTO
              ? ProfilesData.parseFrom(part.toByteArray())
              : Official.parseJson(part.toByteArray());
      assertThat(OtlpProfileValidator.validate(data.toByteArray()).findings()).isEmpty();
      Official.describe(data).stream()
          .filter(line -> line.startsWith("sample"))
          .forEach(samples::add);
      for (var profile : data.getResourceProfiles(0).getScopeProfiles(0).getProfilesList()) {
        assertThat(profile.getProfileId().isEmpty() || ids.add(profile.getProfileId())).isTrue();
        payloads += profile.getOriginalPayload().isEmpty() ? 0 : 1;
      }
    }
    assertThat(samples)
        .isEqualTo(
            Official.describe(export).stream().filter(line -> line.startsWith("sample")).toList());
    assertThat(payloads).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void whatFitsIsOnePart(Kind kind) throws IOException {
    ProfileExport export = Fixtures.export(6, 50);
    byte[] whole = OtlpProfileWriter.toByteArray(export, kind);
    assertThat(split(export, kind, OtlpProfileWriter.DEFAULT_MAX_BYTES)).containsExactly(whole);
    assertThat(split(export, kind, Long.MAX_VALUE)).containsExactly(whole);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aSampleThatIsTooLargeByItselfIsDividedBetweenItsEvents(Kind kind) throws IOException {
    ProfilesDictionary dictionary = new ProfilesDictionary();
    SampleIdentities identities = new SampleIdentities();
    EventColumns events = EventColumns.ofTimestampsAndValues();
    int small = identities.intern(0, 0, 0);
    int large = identities.intern(dictionary.stacks().intern(new int[] {0}, 0, 1), 0, 0);
    events.add(small, 1, 1);
    for (int i = 0; i < 3000; i++) {
      events.add(large, i, i * 7L);
    }
    events.add(identities.intern(0, 0, dictionary.links().intern(1, 2, 3)), 2, 2);
    ProfileExport export =
        new ProfileExport(
            Map.of(),
            "",
            "",
            "",
            List.of(empty(), Profile.of(identities, events).time(0, 5000).build()),
            dictionary);
    List<Long> timestamps = new ArrayList<>();
    List<Long> values = new ArrayList<>();
    int requests = 0;
    for (byte[] part : split(export, kind, 5000)) {
      assertThat(part.length).isLessThanOrEqualTo(5000);
      ProfilesData data = parse(part, kind);
      assertThat(OtlpProfileValidator.validate(data.toByteArray()).errors()).isEmpty();
      for (var profile : data.getResourceProfiles(0).getScopeProfiles(0).getProfilesList()) {
        profile.getSamplesList().forEach(s -> timestamps.addAll(s.getTimestampsUnixNanoList()));
        profile.getSamplesList().forEach(s -> values.addAll(s.getValuesList()));
      }
      requests++;
    }
    assertThat(requests).isGreaterThan(5);
    List<Long> expected = new ArrayList<>(List.of(1L));
    LongStream.range(0, 3000).forEach(expected::add);
    expected.add(2L);
    assertThat(timestamps).isEqualTo(expected);
    assertThat(values).hasSize(3002).startsWith(1L, 0L, 7L, 14L).endsWith(2998 * 7L, 2999 * 7L, 2L);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void anEventThatIsTooLargeByItselfIsNamed(Kind kind) {
    ProfilesDictionary dictionary = new ProfilesDictionary();
    SampleIdentities identities = new SampleIdentities();
    EventColumns events = EventColumns.ofTimestamps();
    int small = identities.intern(0, 0, 0);
    int longName = dictionary.strings().intern("m".repeat(10_000));
    int function = dictionary.functions().intern(longName, 0, 0, 0);
    int location = dictionary.locations().intern(0, 0, function, 1, 0, 0);
    int large = identities.intern(dictionary.stacks().intern(new int[] {location}, 0, 1), 0, 0);
    events.add(small, 1, 1);
    events.add(large, 2, 1);
    ProfileExport export =
        new ProfileExport(
            Map.of(),
            "",
            "",
            "",
            List.of(empty(), Profile.of(identities, events).build()),
            dictionary);
    assertThatIOException()
        .isThrownBy(() -> split(export, kind, 5000))
        .withMessageStartingWith("sample 1 of profile 1 takes 10");
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aLimitThatEachSampleJustMeetsIsEnough(Kind kind) throws IOException {
    ProfilesDictionary dictionary = new ProfilesDictionary();
    SampleIdentities identities = new SampleIdentities();
    EventColumns events = EventColumns.ofTimestamps();
    for (int i = 0; i < 5; i++) {
      int name = dictionary.strings().intern("m".repeat(2000 + i));
      int function = dictionary.functions().intern(name, 0, 0, 0);
      int location = dictionary.locations().intern(0, 0, function, 1, 0, 0);
      int stack = dictionary.stacks().intern(new int[] {location}, 0, 1);
      events.add(identities.intern(stack, 0, 0), i, 1);
    }
    ProfileExport export =
        new ProfileExport(
            Map.of(), "", "", "", List.of(Profile.of(identities, events).build()), dictionary);
    int longest =
        split(export, kind, 4000).stream().mapToInt(part -> part.length).max().orElseThrow();
    // The planner allows for longer lengths than there are.
    assertThat(split(export, kind, longest + 100)).hasSize(5);
  }

  private static List<byte[]> split(ProfileExport export, Kind kind, long maxBytes)
      throws IOException {
    List<ByteArrayOutputStream> parts = new ArrayList<>();
    OtlpProfileWriter.writeSplit(
        export,
        kind,
        maxBytes,
        part -> {
          parts.add(new ByteArrayOutputStream());
          return parts.getLast();
        });
    return parts.stream().map(ByteArrayOutputStream::toByteArray).toList();
  }

  private static ProfilesData parse(byte[] request, Kind kind) throws IOException {
    return kind == Kind.PROTO ? ProfilesData.parseFrom(request) : Official.parseJson(request);
  }

  @Test
  void aReferenceToNothingIsRefused() {
    SampleIdentities identities = new SampleIdentities();
    identities.intern(17, 0, 0);
    ProfileExport export =
        new ProfileExport(
            Map.of(),
            "",
            "",
            "",
            List.of(Profile.aggregated(identities, new long[] {1}).build()),
            new ProfilesDictionary());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OtlpProfileWriter.toByteArray(export, Kind.PROTO))
        .withMessage("stack 17 is referred to, but the table has 1");
  }

  @Test
  void eventsOfOneIdentityAreOneSampleInTheirOrder() {
    SampleIdentities identities = new SampleIdentities();
    int a = identities.intern(0, 0, 0);
    int unused = identities.intern(1, 0, 0);
    int b = identities.intern(2, 0, 0);
    EventColumns first = EventColumns.ofTimestampsAndValues();
    EventColumns second = EventColumns.ofTimestampsAndValues();
    Random random = new Random(1);
    List<Long> ofB = new ArrayList<>();
    for (int i = 0; i < 30_000; i++) {
      boolean isB = random.nextBoolean();
      // The second columns have numbers of their own, the other way round.
      if (i < 10_000) {
        first.add(isB ? b : a, i, -i);
      } else {
        second.add(isB ? 0 : 1, i, -i);
      }
      if (isB) {
        ofB.add((long) i);
      }
    }
    second.renumber(new int[] {b, a});
    first.addAll(second);
    assertThat(second.size()).isZero();
    Profile profile = Profile.of(identities, first).build();
    assertThat(unused).isEqualTo(1);
    assertThat(profile.sampleCount()).isEqualTo(2);
    assertThat(profile.stack(1)).isEqualTo(2);
    assertThat(profile.observations(1)).isEqualTo(ofB.size());
    for (int k = 0; k < ofB.size(); k++) {
      assertThat(profile.timestamp(1, k)).isEqualTo(ofB.get(k));
      assertThat(profile.value(1, k)).isEqualTo(-ofB.get(k));
    }
  }

  private static Profile empty() {
    return Profile.of(new SampleIdentities(), EventColumns.ofTimestamps()).build();
  }
}
