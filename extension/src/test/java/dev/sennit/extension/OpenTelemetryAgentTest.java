/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.agent.SampledProfile;
import dev.sennit.agent.SampledProfile.Sample;
import dev.sennit.agent.boot.AgentJvm;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** OpenTelemetry's own Java agent with the extension, and Sennit's agent beside it. */
@Requires
class OpenTelemetryAgentTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"async", "jfr"})
  void samplesGoToTheSpansOfAnApplicationThatKnowsNothingOfIt(String engine) throws IOException {
    Path recording = folder.resolve("profile.jfr");
    Set<String> spans = run(engine, recording);

    Map<Boolean, List<Sample>> samples =
        SampledProfile.of(recording).samples().stream()
            .collect(Collectors.partitioningBy(sample -> sample.method().equals("inNone")));
    List<Sample> inSpans = samples.getOrDefault(false, List.of());
    List<Sample> outside = samples.getOrDefault(true, List.of());
    assertThat(inSpans).hasSizeGreaterThan(300);
    assertThat(outside).hasSizeGreaterThan(75);
    assertThat(inSpans.stream().filter(sample -> spans.contains(spanOf(sample))).count())
        .as("of %d samples in spans", inSpans.size())
        .isGreaterThanOrEqualTo((99L * inSpans.size() + 99) / 100);
    assertThat(outside).filteredOn(sample -> !sample.link().isEmpty()).isEmpty();
    System.out.printf(
        "OpenTelemetry's agent: %d of %d samples in spans right, 0 of %d outside linked%n",
        inSpans.stream().filter(sample -> spans.contains(spanOf(sample))).count(),
        inSpans.size(),
        outside.size());
  }

  /** Runs the workload; returns its spans as it printed them: method, thread and ids. */
  private static Set<String> run(String engine, Path recording) {
    try (ChildProcess application =
        ExtendedJvm.withApi(
            List.of(
                AgentJvm.agent(
                    "start,engine=" + engine + ",cpu=2ms,ctxstorage=otel,jfr,file=" + recording),
                "-javaagent:" + ExtendedJvm.OPENTELEMETRY_AGENT,
                "-Dotel.javaagent.extensions=" + ExtendedJvm.EXTENSION,
                "-Dotel.traces.exporter=none",
                "-Dotel.metrics.exporter=none",
                "-Dotel.logs.exporter=none",
                "-XX:CompileCommand=quiet",
                "-XX:CompileCommand=dontinline," + Workload.class.getName() + "::in*"),
            Workload.class)) {
      Set<String> spans = new HashSet<>(application.readAll());
      assertThat(application.waitFor()).as(application.errors()).isZero();
      assertThat(spans).contains("done well");
      assertThat(application.errors())
          .contains("profiling started: ")
          .contains("opentelemetry-javaagent - version: 2.")
          .doesNotContain("WARN");
      return spans;
    }
  }

  private static String spanOf(Sample sample) {
    return sample.method() + " " + sample.thread() + " " + sample.link();
  }
}
