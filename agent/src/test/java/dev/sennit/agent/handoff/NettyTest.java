/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.agent.boot.AgentJvm;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.File;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The shipped agent in JVMs whose event loops serve many requests at a time. */
@Requires
class NettyTest {
  private static ChildProcess start(String options, String classPath, Class<?> main, String way) {
    return AgentJvm.start(
        List.of(
            AgentJvm.agent("ctxstorage=otel" + options),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            classPath,
            main.getName(),
            way));
  }

  /** That of the tests, with Netty 4.1 in the place of 4.2. */
  private static String withNetty41() {
    return Stream.concat(
            Stream.of(ChildProcess.classPath().split(File.pathSeparator))
                .filter(entry -> !entry.contains("/io/netty/")),
            Stream.of("target/netty-4.1/*"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static void assertAllRight(ChildProcess application) {
    int right = Integer.parseInt(application.expect("right "));
    assertThat(application.expect("none ")).as("none").isEqualTo("0");
    assertThat(application.expect("wrong ")).as("wrong").isEqualTo("0");
    assertThat(right).isGreaterThan(9_000);
    assertThat(application.waitFor()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"4.2,nio", "4.2,epoll", "4.1,nio", "4.1,epoll"})
  void requestsOfNettyKeepTheirContexts(String version, String transport) {
    String classPath = version.equals("4.1") ? withNetty41() : ChildProcess.classPath();
    try (ChildProcess application = start(",handoff", classPath, NettyWork.class, transport)) {
      assertThat(application.expect("Netty ")).startsWith("netty-common-" + version);
      assertAllRight(application);
    }
  }

  @ParameterizedTest
  @CsvSource({"reactor", "rxjava"})
  void requestsOfReactorKeepTheirContexts(String way) {
    String classPath = ChildProcess.classPath();
    try (ChildProcess application = start(",handoff", classPath, ReactorWork.class, way)) {
      assertAllRight(application);
    }
  }

  @Test
  void withoutItTheyAreMistakenForEachOther() {
    String classPath = ChildProcess.classPath();
    try (ChildProcess application =
        start(",handoff=executor;future", classPath, ReactorWork.class, "reactor")) {
      assertThat(Integer.parseInt(application.expect("right "))).isLessThan(5_000);
    }
  }
}
