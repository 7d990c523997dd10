/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sennit.agent.SampledProfile.Sample;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every sample is tied to the span that was current on its thread, with either engine. */
@Requires
class SpanAssociationTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"profiler", "otel"})
  void samplesOfEightThreadsGoToTheirSpansInTheirProportions(String mode) throws IOException {
    SampledProfile profile =
        run("proportions", "start,engine=async,cpu=1ms,ctxstorage=" + mode + ",jfr");

    checkProportions(profile, "cpu");
  }

  @Test
  void flightRecorderDoesItToo() throws IOException {
    SampledProfile profile = run("proportions", "start,engine=jfr,cpu=2ms,jfr");

    checkProportions(profile, "cpu-time");
  }

  private static void checkProportions(SampledProfile profile, String type) {
    Map<String, Integer> spans = Map.of("inFirst", 1, "inSecond", 2, "inThird", 3);
    Map<String, Integer> shares = Map.of("inFirst", 1, "inSecond", 2, "inThird", 5);
    List<Sample> inSpans = new ArrayList<>();
    spans.keySet().forEach(method -> inSpans.addAll(profile.of(type, method)));
    assertThat(inSpans).hasSizeGreaterThan(500);
    long right =
        inSpans.stream()
            .filter(
                sample ->
                    sample
                        .link()
                        .equals(
                            Workload.link(
                                numberOf(sample), spans.getOrDefault(sample.method(), 0))))
            .count();
    assertThat(right)
        .as("of %d samples", inSpans.size())
        .isGreaterThanOrEqualTo(percent(99, inSpans));
    assertThat(profile.of(type, "inNone")).filteredOn(sample -> !sample.link().isEmpty()).isEmpty();
    Map<String, Long> byMethod =
        inSpans.stream().collect(Collectors.groupingBy(Sample::method, Collectors.counting()));
    shares.forEach(
        (method, share) ->
            assertThat(100.0 * byMethod.getOrDefault(method, 0L) / inSpans.size())
                .as("percentage of %s", method)
                .isCloseTo(share * 100.0 / 8, within(5.0)));
    System.out.printf("eight threads, %s: %d of %d samples right%n", type, right, inSpans.size());
  }

  @Test
  void wallSamplesOfABlockedThreadStayWithTheSpanThatBlocked() throws IOException {
    SampledProfile profile = run("blocking", "start,engine=async,cpu=5ms,wall=10ms,jfr");

    assertThat(profile.of("wall", "inSleep")).hasSizeGreaterThan(200);
    assertThat(wrong(profile.of("wall", "inSleep"), 1)).isEmpty();
    assertThat(wrong(profile.of("wall", "inSecond"), 2)).isEmpty();
    assertThat(wrong(profile.of("cpu", "inSecond"), 2)).isEmpty();
    System.out.printf(
        "blocked threads: %d wall samples, 0 wrong%n",
        profile.of("wall", "inSleep").size() + profile.of("wall", "inSecond").size());
  }

  /** It hardly runs when its context changes, so that often nobody asks it for a sample. */
  @Test
  void aThreadThatOnlyWaitsIsInTheSpanOfTheTimeOrInNone() throws IOException {
    Path file = folder.resolve("profile.jfr");
    Path periods = folder.resolve("periods");
    runTo(file, "waiting", "start,engine=async,cpu=5ms,wall=5ms,jfr", periods.toString());

    List<Sample> samples = SampledProfile.of(file).of("wall", "inWait");
    assertThat(samples).hasSizeGreaterThan(100);
    List<Sample> linked = samples.stream().filter(sample -> !sample.link().isEmpty()).toList();
    assertThat(linked).isNotEmpty();
    List<String[]> spans = Files.readAllLines(periods).stream().map(at -> at.split(" ")).toList();
    assertThat(linked)
        .allMatch(sample -> spans.stream().anyMatch(span -> isIn(sample, span)), "in its span");
    System.out.printf(
        "a thread that only waits: %d of %d wall samples in a span, 0 wrong%n",
        linked.size(), samples.size());
  }

  /** The clocks of the recording and of the workload may differ a little. */
  private static boolean isIn(Sample sample, String[] span) {
    long slack = TimeUnit.MILLISECONDS.toNanos(2);
    return sample.link().equals(span[2])
        && sample.time() >= Long.parseLong(span[0]) - slack
        && sample.time() <= Long.parseLong(span[1]) + slack;
  }

  @Test
  void theParentIsCurrentAgainWhenANestedSpanEnds() throws IOException {
    SampledProfile profile = run("nested", "start,engine=async,cpu=1ms,jfr");

    assertThat(profile.of("cpu", "inFirst")).hasSizeGreaterThan(50);
    assertThat(profile.of("cpu", "inSecond")).hasSizeGreaterThan(25);
    assertThat(wrong(profile.of("cpu", "inFirst"), 1)).isEmpty();
    assertThat(wrong(profile.of("cpu", "inSecond"), 2)).isEmpty();
  }

  @Test
  void allocationsGoToTheirSpans() throws IOException {
    SampledProfile profile = run("allocating", "start,engine=async,alloc=16k,jfr");

    List<Sample> first = allocations(profile, "inFirstAllocation");
    List<Sample> second = allocations(profile, "inSecondAllocation");
    assertThat(first).hasSizeGreaterThan(50);
    assertThat(second).hasSizeGreaterThan(50);
    assertThat(wrong(first, 1)).isEmpty();
    assertThat(wrong(second, 2)).isEmpty();
  }

  private static List<Sample> allocations(SampledProfile profile, String method) {
    return profile.samples().stream().filter(sample -> sample.method().equals(method)).toList();
  }

  @Test
  void aPoolsThreadsWorkForWhoeverHandedThemATask() throws IOException {
    SampledProfile profile = run("pool", "start,engine=async,cpu=1ms,jfr");

    Map<String, Integer> requests =
        Map.of("inFirst", 1, "inSecond", 2, "inThird", 3, "inFourth", 4);
    requests.forEach(
        (method, request) ->
            assertThat(profile.of("cpu", method))
                .isNotEmpty()
                .allMatch(
                    sample -> sample.link().equals(Workload.link(request, 1)), "linked right"));
    System.out.printf("a pool: %d samples, 0 wrong%n", profile.samples().size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"async", "jfr"})
  void aContextThatIsOpenAtADumpIsInIt(String engine) throws IOException {
    Path dump = folder.resolve("dump.jfr");
    runTo(
        folder.resolve("all.jfr"),
        "open",
        "start,engine=" + engine + ",cpu=2ms,jfr",
        dump.toString());

    List<Sample> samples =
        SampledProfile.of(dump).samples().stream()
            .filter(sample -> sample.method().equals("inFirst"))
            .toList();
    assertThat(samples).hasSizeGreaterThan(50);
    long right =
        samples.stream().filter(sample -> sample.link().equals(Workload.link(1, 1))).count();
    assertThat(right).isGreaterThanOrEqualTo(percent(95, samples));
    assertThat(samples)
        .allMatch(sample -> sample.link().isEmpty() || sample.link().equals(Workload.link(1, 1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"async", "jfr"})
  void aJvmThatEndsWithoutAStopLosesNothing(String engine) throws IOException {
    SampledProfile profile = run("ending", "start,engine=" + engine + ",cpu=2ms,jfr");

    assertThat(profile.samples()).hasSizeGreaterThan(50);
    assertThat(profile.samples()).noneMatch(sample -> sample.link().isEmpty());
  }

  @Test
  void withoutHooksAVirtualThreadIsLinkedToNothingRatherThanToAnother() throws IOException {
    SampledProfile profile = run("virtual", "start,engine=async,cpu=1ms,jfr");

    assertThat(profile.of("cpu", "inFirst"))
        .isNotEmpty()
        .allMatch(sample -> sample.link().isEmpty(), "without a link");
  }

  @Test
  void nobodyIsToldOfChangesWhenNobodyProfiles() {
    try (ChildProcess child = ChildProcess.java(Workload.class, "unobserved", "")) {
      assertThat(child.expect("observed: ")).isEqualTo("false");
      assertThat(child.waitFor()).isZero();
    }
  }

  private SampledProfile run(String mode, String command) throws IOException {
    Path file = folder.resolve("profile.jfr");
    runTo(file, mode, command);
    return SampledProfile.of(file);
  }

  private static void runTo(Path file, String mode, String command, String... more) {
    List<String> arguments = new ArrayList<>(List.of(mode, command + ",file=" + file));
    arguments.addAll(List.of(more));
    try (ChildProcess child =
        ChildProcess.start(
            ChildProcess.javaCommand(
                List.of(
                    "-XX:CompileCommand=quiet",
                    "-XX:CompileCommand=dontinline,dev.sennit.agent.Workload::in*"),
                Workload.class,
                arguments.toArray(String[]::new)))) {
      List<String> output = child.readAll();
      assertThat(child.waitFor()).as("%s\n%s", output, child.errors()).isZero();
      assertThat(child.errors()).isEmpty();
    }
  }

  /** Samples that are linked to another span than that of their thread. */
  private static List<Sample> wrong(List<Sample> samples, int span) {
    return samples.stream()
        .filter(sample -> !sample.link().equals(Workload.link(numberOf(sample), span)))
        .toList();
  }

  private static int numberOf(Sample sample) {
    return Integer.parseInt(sample.thread().replace("work-", ""));
  }

  private static long percent(int percentage, List<?> of) {
    return (of.size() * (long) percentage + 99) / 100;
  }
}
