/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.agent.SampledProfile.Sample;
import dev.sennit.agent.boot.AgentJvm;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Samples on a carrier go to the span of the virtual thread that was mounted on it. */
@Requires
class VirtualThreadSamplesTest {
  private static final List<String> METHODS = List.of("inFirst", "inSecond", "inThird", "inFourth");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"async", "jfr"})
  void aThousandRequestsKeepTheirSamples(String engine) throws IOException {
    Path file = folder.resolve("profile.jfr");
    String options = "start,engine=" + engine + ",cpu=1ms,ctxstorage=otel,jfr,file=" + file;
    try (ChildProcess child =
        AgentJvm.start(
            List.of(
                AgentJvm.agent(options),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:CompileCommand=quiet",
                "-XX:CompileCommand=dontinline,dev.sennit.agent.Workload::in*",
                "-cp",
                ChildProcess.classPath(),
                Workload.class.getName(),
                "requests",
                ""))) {
      List<String> output = child.readAll();
      assertThat(child.waitFor()).as("%s\n%s", output, child.errors()).isZero();
      assertThat(child.errors().lines()).singleElement().asString().contains("profiling started");
    }

    List<Sample> samples =
        SampledProfile.of(file).samples().stream()
            .filter(sample -> METHODS.contains(sample.method()))
            .toList();
    assertThat(samples).hasSizeGreaterThan(100);
    assertThat(samples).allMatch(VirtualThreadSamplesTest::isNotAnothers, "not another's");
    assertThat(samples.stream().filter(sample -> !sample.link().isEmpty()).count())
        .as("of %d samples", samples.size())
        .isGreaterThanOrEqualTo(samples.size() - samples.size() / 100);
  }

  /** Each request works in one of four methods. */
  private static boolean isNotAnothers(Sample sample) {
    return sample.link().isEmpty()
        || Integer.parseInt(sample.link().substring(24, 32), 16) % 4
            == METHODS.indexOf(sample.method());
  }
}
