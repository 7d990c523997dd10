/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.sennit.profiles.Fixtures;
import dev.sennit.profiles.Kind;
import dev.sennit.profiles.OtlpProfileWriter;
import dev.sennit.profiles.ProfileType;
import dev.sennit.testing.Requires;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** OpenTelemetry's tools accept every kind of output and lose nothing of it. */
@EnabledIfEnvironmentVariable(
    named = InteropTest.TOOLS,
    matches = ".+",
    disabledReason = "needs OpenTelemetry's tools, which interop/run builds where Go is installed")
class InteropTest {
  static final String TOOLS = "SENNIT_INTEROP_TOOLS";

  @TempDir static Path folder;
  private static Path tools = Path.of("");
  private static List<Output> outputs = List.of();
  private static final List<String> REPORT = new ArrayList<>();

  @BeforeAll
  static void convert() throws IOException, InterruptedException {
    tools = Path.of(System.getenv(TOOLS));
    Map<String, Path> recordings = InteropRecordings.make(folder);
    outputs = InteropOutputs.of(recordings);
    Map<Kind, Integer> kinds = new LinkedHashMap<>();
    outputs.forEach(output -> kinds.merge(output.kind(), 1, Integer::sum));
    report(recordings.size() + " recordings gave " + outputs.size() + " outputs: " + kinds);
  }

  @AfterAll
  static void report() throws IOException {
    Files.write(tools.resolve("report.txt"), REPORT);
  }

  @Test
  void everyTypeOfProfileIsAmongTheOutputs() throws IOException {
    TreeSet<String> types = new TreeSet<>();
    long profiles = 0;
    long samples = 0;
    long links = 0;
    for (Output output : outputs) {
      ProfilesData data = output.parse();
      for (var profile : data.getResourceProfiles(0).getScopeProfiles(0).getProfilesList()) {
        profiles++;
        samples += profile.getSamplesCount();
        links += profile.getSamplesList().stream().filter(s -> s.getLinkIndex() != 0).count();
        if (profile.getSamplesCount() > 0) {
          profile.getAttributeIndicesList().stream()
              .map(data.getDictionary()::getAttributeTable)
              .forEach(attribute -> types.add(attribute.getValue().getStringValue()));
        }
      }
    }
    assertThat(types)
        .containsAll(Arrays.stream(ProfileType.values()).map(ProfileType::optionName).toList());
    assertThat(links).isPositive();
    report(
        "in them: %d profiles of %d types, %d samples, %d of them linked to spans"
            .formatted(profiles, ProfileType.values().length, samples, links));
  }

  @Test
  void profcheckFindsNothing() throws IOException {
    Profcheck profcheck = new Profcheck(tools, folder);
    Map<Output, List<String>> findings = new LinkedHashMap<>();
    int checked = 0;
    for (Output output : outputs) {
      if (output.kind() == Kind.PROTO) {
        checked++;
        List<String> found = profcheck.findings(output.bytes().toByteArray());
        if (!found.isEmpty()) {
          findings.put(output, found);
        }
      }
    }
    report("profcheck: " + checked + " outputs, " + findings.size() + " with findings");
    assertThat(findings).isEmpty();
  }

  @Test
  void profcheckFindsWhatIsBroken() throws IOException {
    Profcheck profcheck = new Profcheck(tools, folder);
    ProfilesData.Builder broken = ProfilesData.newBuilder().mergeFrom(example());
    assertThat(profcheck.findings(broken.build().toByteArray())).isEmpty();
    broken
        .getResourceProfilesBuilder(0)
        .getScopeProfilesBuilder(0)
        .getProfilesBuilder(0)
        .getSamplesBuilder(0)
        .setStackIndex(1_000_000);
    assertThat(profcheck.findings(broken.build().toByteArray()))
        .anySatisfy(
            line -> assertThat(line).contains("stack_index: index 1000000 is out of range"));
  }

  @Test
  void noTableHasAnEntryTwiceOrForNothing() throws IOException {
    for (Output output : outputs) {
      ResolvedProfiles resolved = ResolvedProfiles.of(output.parse());
      assertThat(resolved.orphans()).as(output.toString()).isEmpty();
      assertThat(resolved.duplicates()).as(output.toString()).isEmpty();
    }
    report("dictionaries: " + outputs.size() + ", none with an orphan or a duplicate");
  }

  @Test
  void aCollectorWritesWhatItWasSent() throws IOException, InterruptedException {
    try (Collector collector = new Collector(tools, folder)) {
      for (Output output : outputs) {
        assertThat(collector.send(output.kind(), output.bytes().toByteArray()))
            .as(output.toString())
            .isEmpty();
      }
      collector.stop();
      assertSame(outputs, collector.writtenAsProtobuf(), "protobuf");
      assertSame(outputs, collector.writtenAsJson(), "JSON");
    }
    report(
        "Collector: %d requests by HTTP, each written as protobuf and as JSON, all equal"
            .formatted(outputs.size()));
  }

  @Test
  @Requires(commands = "curl")
  void aCollectorTakesTheSameByGrpc() throws IOException {
    List<Output> sent = outputs.stream().filter(output -> output.kind() == Kind.PROTO).toList();
    try (Collector collector = new Collector(tools, folder)) {
      for (Output output : sent) {
        assertThat(collector.sendByGrpc(output.bytes().toByteArray()))
            .as(output.toString())
            .contains("grpc-status: 0");
      }
      collector.stop();
      assertSame(sent, collector.writtenAsProtobuf(), "protobuf");
    }
    report("Collector: " + sent.size() + " requests by gRPC, all equal");
  }

  private static void assertSame(List<Output> sent, List<ProfilesData> written, String format)
      throws IOException {
    Iterator<ProfilesData> next = written.iterator();
    for (Output output : sent) {
      ProfilesData data = output.parse();
      // A Collector hands on no request without a sample.
      if (samples(data) == 0) {
        continue;
      }
      String name = output + ", written as " + format;
      assertThat(next).as(name).hasNext();
      ResolvedProfiles before = ResolvedProfiles.of(data);
      ResolvedProfiles after = ResolvedProfiles.of(next.next());
      assertThat(before.without(after)).as("lost of %s", name).isEmpty();
      assertThat(after.without(before)).as("added to %s", name).isEmpty();
    }
    assertThat(next.hasNext()).as("more was written than was sent").isFalse();
  }

  private static long samples(ProfilesData data) {
    return data.getResourceProfiles(0).getScopeProfiles(0).getProfilesList().stream()
        .mapToLong(Profile::getSamplesCount)
        .sum();
  }

  @Test
  void aCollectorObjectsToWhatIsBroken() throws IOException, InterruptedException {
    ProfilesData.Builder broken = ProfilesData.newBuilder().mergeFrom(example());
    broken
        .getDictionaryBuilder()
        .getLinkTableBuilder(1)
        .setTraceId(ByteString.copyFrom(new byte[15]));
    try (Collector collector = new Collector(tools, folder)) {
      assertThat(collector.send(Kind.PROTO, example())).isEmpty();
      assertThat(collector.send(Kind.PROTO, broken.build().toByteArray()))
          .singleElement()
          .asString()
          .startsWith("status 400");
    }
  }

  private static byte[] example() {
    return OtlpProfileWriter.toByteArray(Fixtures.export(1, 20), Kind.PROTO);
  }

  private static void report(String line) {
    REPORT.add("interop: " + line);
  }
}
