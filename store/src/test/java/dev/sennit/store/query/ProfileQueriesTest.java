/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import static dev.sennit.store.TestStore.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.intake.Answer;
import dev.sennit.store.Otlp;
import dev.sennit.store.StoreSettings;
import dev.sennit.store.TelemetryStore;
import dev.sennit.store.TestStore;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.profiles.v1development.Function;
import io.opentelemetry.proto.profiles.v1development.KeyValueAndUnit;
import io.opentelemetry.proto.profiles.v1development.Line;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Mapping;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import io.opentelemetry.proto.profiles.v1development.Stack;
import io.opentelemetry.proto.profiles.v1development.ValueType;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProfileQueriesTest {
  private static final List<String> STRINGS =
      List.of(
          "",
          "main",
          "work",
          "rest",
          "Main.java",
          "samples",
          "count",
          "cpu",
          "nanoseconds",
          "thread.name",
          "worker",
          "profile.frame.type",
          "jvm",
          "allocated_space",
          "bytes");

  private final TelemetryStore store = TelemetryStore.temporary(StoreSettings.TEMPORARY);

  @AfterEach
  void close() {
    store.close();
  }

  /** Stack 1 is main, work (at two lines of it stack 2); stack 3 is main, rest. */
  private static ProfilesDictionary dictionary() {
    return ProfilesDictionary.newBuilder()
        .addAllStringTable(STRINGS)
        .addMappingTable(Mapping.newBuilder())
        .addFunctionTable(Function.newBuilder())
        .addFunctionTable(Function.newBuilder().setNameStrindex(1).setFilenameStrindex(4))
        .addFunctionTable(Function.newBuilder().setNameStrindex(2).setFilenameStrindex(4))
        .addFunctionTable(Function.newBuilder().setNameStrindex(3).setFilenameStrindex(4))
        .addLocationTable(Location.newBuilder())
        .addLocationTable(location(1, 10))
        .addLocationTable(location(2, 20))
        .addLocationTable(location(2, 21))
        .addLocationTable(location(3, 30))
        .addStackTable(Stack.newBuilder())
        .addStackTable(Stack.newBuilder().addLocationIndices(2).addLocationIndices(1))
        .addStackTable(Stack.newBuilder().addLocationIndices(3).addLocationIndices(1))
        .addStackTable(Stack.newBuilder().addLocationIndices(4).addLocationIndices(1))
        .addLinkTable(Link.newBuilder())
        .addLinkTable(
            Link.newBuilder().setTraceId(Otlp.id(Otlp.trace(7))).setSpanId(Otlp.id(Otlp.span(8))))
        .addAttributeTable(KeyValueAndUnit.newBuilder())
        .addAttributeTable(
            KeyValueAndUnit.newBuilder()
                .setKeyStrindex(9)
                .setValue(AnyValue.newBuilder().setStringValue("worker")))
        .addAttributeTable(
            KeyValueAndUnit.newBuilder()
                .setKeyStrindex(11)
                .setValue(AnyValue.newBuilder().setStringValue("jvm")))
        .build();
  }

  private static Location.Builder location(int function, int line) {
    return Location.newBuilder()
        .addLines(Line.newBuilder().setFunctionIndex(function).setLine(line))
        .addAttributeIndices(2);
  }

  private static Profile.Builder cpu() {
    return Profile.newBuilder()
        .setSampleType(ValueType.newBuilder().setTypeStrindex(5).setUnitStrindex(6))
        .setPeriodType(ValueType.newBuilder().setTypeStrindex(7).setUnitStrindex(8))
        .setPeriod(10_000_000)
        .setTimeUnixNano(1000)
        .setDurationNano(500)
        .addSamples(
            Sample.newBuilder()
                .setStackIndex(1)
                .addAttributeIndices(1)
                .setLinkIndex(1)
                .addTimestampsUnixNano(1001)
                .addTimestampsUnixNano(1002))
        .addSamples(Sample.newBuilder().setStackIndex(2).addTimestampsUnixNano(1003))
        .addSamples(Sample.newBuilder().setStackIndex(3).addTimestampsUnixNano(1004));
  }

  private static Profile.Builder allocations() {
    return Profile.newBuilder()
        .setSampleType(ValueType.newBuilder().setTypeStrindex(13).setUnitStrindex(14))
        .setTimeUnixNano(2000)
        .setDurationNano(500)
        .addSamples(Sample.newBuilder().setStackIndex(1).addValues(4096));
  }

  private static ExportProfilesServiceRequest request(Profile.Builder... profiles) {
    ScopeProfiles.Builder scope = ScopeProfiles.newBuilder();
    List.of(profiles).forEach(scope::addProfiles);
    return ExportProfilesServiceRequest.newBuilder()
        .setDictionary(dictionary())
        .addResourceProfiles(
            ResourceProfiles.newBuilder().setResource(Otlp.service("shop")).addScopeProfiles(scope))
        .build();
  }

  /** A tree as lines: how deep, the name, its total and what ended in it. */
  private static List<String> drawn(FlameTree tree) {
    int[] depths = new int[tree.nodes().size()];
    return IntStream.range(0, depths.length)
        .mapToObj(
            i -> {
              FlameTree.Node node = tree.nodes().get(i);
              depths[i] = node.parent() < 0 ? 0 : depths[node.parent()] + 1;
              String name = node.frame() < 0 ? "all" : tree.frames().get(node.frame()).name();
              return "-".repeat(depths[i]) + name + " " + node.total() + " " + node.self();
            })
        .toList();
  }

  @Test
  void samplesAreSummedByWhoCalledWhom() throws Exception {
    TestStore.settle(store, store.profiles(request(cpu(), allocations())));
    ProfileQueries profiles = store.queries().profiles();
    assertThat(profiles.types(ProfileFilter.within(TimeRange.ALL)))
        .containsExactly(
            new SampleType("allocated_space", "bytes", 1, 4096),
            new SampleType("cpu", "count", 4, 4));
    ProfileFilter all = ProfileFilter.of("cpu", TimeRange.ALL);
    assertThat(drawn(profiles.flame(all, 100)))
        .containsExactly("all 4 0", "-main 4 0", "--rest 1 1", "--work 3 3");
    assertThat(profiles.flame(all, 100).frames())
        .contains(new FlameTree.Frame("work", "Main.java", "jvm"));
    FlameTree cut = profiles.flame(all, 1);
    assertThat(cut.more()).isTrue();
    assertThat(cut.total()).isEqualTo(2);
  }

  @Test
  void everyConditionHolds() throws Exception {
    TestStore.settle(
        store,
        store.profiles(request(cpu(), allocations())),
        store.traces(Otlp.traces("shop", Otlp.span(Otlp.trace(7), Otlp.span(8), "GET /work"))));
    ProfileQueries profiles = store.queries().profiles();
    ProfileFilter all = ProfileFilter.of("cpu", TimeRange.ALL);
    assertThat(profiles.flame(all.in(Otlp.trace(7), Otlp.span(8)), 9).total()).isEqualTo(2);
    assertThat(profiles.flame(all.spanName("GET /work"), 9).total()).isEqualTo(2);
    assertThat(profiles.flame(all.spanName("GET /other"), 9).total()).isZero();
    assertThat(profiles.flame(all.thread("worker"), 9).total()).isEqualTo(2);
    assertThat(profiles.flame(all.service("shop"), 9).total()).isEqualTo(4);
    assertThat(profiles.flame(all.service("other"), 9).total()).isZero();
    assertThat(profiles.flame(ProfileFilter.of("cpu", new TimeRange(1002, 1004)), 9).total())
        .isEqualTo(2);
    assertThat(profiles.threads(all, 9).items()).containsExactly("worker");
    assertThat(profiles.services(all, 9).items()).containsExactly("shop");
    assertThat(profiles.spanNames(all, 9).items()).containsExactly("GET /work");
    assertThat(profiles.spanNames(all.service("other"), 9).items()).isEmpty();
    ProfileFilter inSpan = ProfileFilter.within(TimeRange.ALL).in(Otlp.trace(7), Otlp.span(8));
    assertThat(profiles.types(inSpan)).containsExactly(new SampleType("cpu", "count", 2, 2));
  }

  @Test
  void amountsAreToldOverTime() throws Exception {
    TestStore.settle(store, store.profiles(request(cpu(), allocations())));
    ProfileQueries profiles = store.queries().profiles();
    ProfileFilter all = ProfileFilter.within(TimeRange.ALL);
    assertThat(profiles.extent(all)).contains(new TimeRange(1001, 2001));
    assertThat(profiles.extent(all.type("wall"))).isEmpty();
    assertThat(profiles.times(ProfileFilter.of("cpu", new TimeRange(1000, 1100)), 2))
        .containsExactly(
            new SampleBucket(0, 1, 1), new SampleBucket(1, 2, 2), new SampleBucket(2, 1, 1));
    assertThat(profiles.times(ProfileFilter.of("allocated_space", new TimeRange(1000, 3000)), 500))
        .containsExactly(new SampleBucket(2, 1, 4096));
  }

  @Test
  void equalStacksAreStoredOnceAndAProfileThatIsSentAgainIsNotStoredAgain() throws Exception {
    Profile.Builder named = cpu().setProfileId(Otlp.id(Otlp.trace(99)));
    TestStore.settle(store, store.profiles(request(named)), store.profiles(request(named)));
    TestStore.settle(store, store.profiles(request(cpu())));
    assertThat(number(store, "SELECT count(*) FROM samples")).isEqualTo(8);
    assertThat(number(store, "SELECT count(*) FROM stacks")).isEqualTo(3);
    assertThat(number(store, "SELECT count(*) FROM frames")).isEqualTo(4);
  }

  @Test
  void aProfileThatContradictsItselfIsRejectedAndTheOthersAreTaken() throws Exception {
    Profile.Builder dangling = cpu().addSamples(Sample.newBuilder().setStackIndex(77).addValues(1));
    Profile.Builder uneven =
        cpu().addSamples(Sample.newBuilder().addValues(1).addValues(2).addTimestampsUnixNano(1));
    Profile.Builder empty = cpu().addSamples(Sample.newBuilder().setStackIndex(1));
    Profile.Builder link = cpu().addSamples(Sample.newBuilder().setLinkIndex(-1).addValues(1));
    Answer answer = store.profiles(request(dangling, uneven, empty, link, allocations()));
    assertThat(answer)
        .isEqualTo(new Answer.TakenInPart(4, "a profile has an index 77 into a stack table of 4"));
    store.flush();
    assertThat(number(store, "SELECT sum(value) FROM samples")).isEqualTo(4096);
  }

  @Test
  void aRequestWithoutADictionaryIsRejected() throws Exception {
    ExportProfilesServiceRequest bare = request(cpu()).toBuilder().clearDictionary().build();
    assertThat(store.profiles(bare)).isInstanceOf(Answer.TakenInPart.class);
    assertThat(store.profiles(ExportProfilesServiceRequest.getDefaultInstance()))
        .isEqualTo(Answer.TAKEN);
    TestStore.settle(store);
  }
}
