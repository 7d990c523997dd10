/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.virtualthread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.agent.SampledProfile;
import dev.sennit.agent.SampledProfile.Sample;
import dev.sennit.agent.boot.AgentJvm;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A thousand requests on virtual threads, profiled and watched from outside at once: each sample is
 * its own request's, and so is each span that is seen on a carrier.
 */
@Requires
class NumberedRequestsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"async", "jfr"})
  void everySampleIsOfItsOwnRequestAndEveryRecordOfTheThreadThatIsMounted(String engine)
      throws IOException {
    Path recording = folder.resolve("profile.jfr");
    Path mounts = folder.resolve("mounts");
    List<MountLog.Sighting> sightings = run(engine, recording, mounts);

    List<Sample> samples = SampledProfile.of(recording).samples();
    List<Sample> inRequests =
        samples.stream()
            .filter(sample -> sample.methods().size() == NumberedRequests.DIGITS)
            .toList();
    assertThat(inRequests).hasSizeGreaterThan(200);
    assertThat(inRequests)
        .filteredOn(sample -> !sample.link().isEmpty())
        .allMatch(sample -> sample.link().equals(linkOf(sample)), "not another request's")
        .hasSizeGreaterThanOrEqualTo((99 * inRequests.size() + 99) / 100);
    assertThat(samples)
        .filteredOn(sample -> sample.method().equals("inNone"))
        .allMatch(sample -> sample.link().isEmpty(), "outside of the span");
    assertThat(sightings).hasSizeGreaterThan(10);
    assertThat(MountLog.read(mounts).wrong(sightings)).isEmpty();
    System.out.printf(
        "virtual threads, %s: %d of %d samples linked, 0 wrong; seen from outside %d times, 0"
            + " wrong%n",
        engine,
        inRequests.stream().filter(sample -> !sample.link().isEmpty()).count(),
        inRequests.size(),
        sightings.size());
  }

  private static List<MountLog.Sighting> run(String engine, Path recording, Path mounts) {
    try (ChildProcess application =
        AgentJvm.start(
            List.of(
                AgentJvm.agent(
                    "start,engine=" + engine + ",cpu=2ms,ctxstorage=otel,jfr,file=" + recording),
                // For the application itself, which asks for the tid of its carriers.
                "--enable-native-access=ALL-UNNAMED",
                "-XX:CompileCommand=quiet",
                "-XX:CompileCommand=dontinline," + NumberedRequests.class.getName() + "::in*",
                "-cp",
                ChildProcess.classPath(),
                NumberedRequests.class.getName(),
                mounts.toString()))) {
      application.expect("ready");
      List<MountLog.Sighting> sightings;
      try (OutsideReader reader = OutsideReader.of(application.pid())) {
        application.send("");
        sightings =
            reader.watch(
                Duration.ofMillis(100),
                () -> assertThat(application.expect("served ")).isEqualTo("well"));
      }
      application.send("");
      assertThat(application.waitFor()).isZero();
      assertThat(application.errors().lines()).singleElement().asString().contains("started");
      return sightings;
    }
  }

  /** The link to the span of the request whose number the stack spells, from the outside in. */
  private static String linkOf(Sample sample) {
    StringBuilder number = new StringBuilder();
    sample.methods().reversed().forEach(method -> number.append(method.substring(2)));
    int request = Integer.parseInt(number.toString());
    return "%016x%016x-%016x".formatted(1, request, NumberedRequests.spanOf(request));
  }
}
