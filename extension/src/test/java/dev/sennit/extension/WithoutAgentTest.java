/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The extension beside an SDK, in JVMs that have no agent. */
@Requires
class WithoutAgentTest {
  @ParameterizedTest
  @ValueSource(strings = {"otel", "otep", "profiler"})
  void anSdkStartsAndMakesSpansWhereNativeAccessIsDenied(String mode) {
    List<String> errors =
        run(_ -> {}, "--illegal-native-access=deny", "-Dsennit.ctxstorage=" + mode);

    assertThat(errors)
        .singleElement()
        .asString()
        .startsWith("sennit: spans are not made known to readers outside: Illegal native access")
        .endsWith("(--enable-native-access=ALL-UNNAMED allows it)");
  }

  @Test
  void theResourceIsKnownAlsoWhereThreadsHaveNoContexts() {
    List<String> errors =
        run(
            application ->
                assertThat(ExtendedJvm.contextOf(application).resource())
                    .containsEntry("service.name", AttributeValue.of("checkout")),
            "--enable-native-access=ALL-UNNAMED",
            "-Dsennit.ctxstorage=none");

    assertThat(errors)
        .singleElement()
        .asString()
        .startsWith("sennit: spans are not made known to readers outside: ");
  }

  @Test
  void theResourceIsTheOneThatOthersHaveChanged() {
    List<String> errors =
        run(
            application -> {
              ProcessContext context = ExtendedJvm.contextOf(application);
              assertThat(context.resource())
                  .containsEntry("deployment.environment.name", AttributeValue.of("xxxx"));
              assertThat(context.attributes())
                  .containsEntry("sennit.span_source", AttributeValue.of("sdk"));
            },
            "--enable-native-access=ALL-UNNAMED",
            "-D" + LateDistribution.PROPERTY + "=deployment.environment.name=4");

    assertThat(errors).isEmpty();
  }

  @Test
  void commandLinesAreKeptFromReaders() {
    List<String> errors =
        run(
            application ->
                assertThat(ExtendedJvm.contextOf(application).resource())
                    .containsKey("process.executable.name")
                    .doesNotContainKeys(
                        "process.command", "process.command_args", "process.command_line"),
            "--enable-native-access=ALL-UNNAMED",
            "-Dotel.resource.attributes=process.command=java,process.command_args=secret,"
                + "process.command_line=secret,process.executable.name=java");

    assertThat(errors).isEmpty();
  }

  @Test
  void whatReadersWouldNotTakeIsLeftOutAndNamed() {
    List<String> errors =
        run(
            application ->
                assertThat(ExtendedJvm.contextOf(application).resource())
                    .containsEntry("service.name", AttributeValue.of("checkout"))
                    .containsKeys("service.notes", "small", "telemetry.sdk.name")
                    .doesNotContainKeys("large", "larger"),
            "--enable-native-access=ALL-UNNAMED",
            "-D"
                + LateDistribution.PROPERTY
                + "=small=1,large=20000,larger=30000,service.notes=40000");

    assertThat(errors)
        .containsExactly(
            "sennit: readers outside take no more than 57344 bytes of a resource; it is made known"
                + " without larger, large");
  }

  /**
   * Runs an application that is in a span.
   *
   * @return what it printed on standard error
   */
  private static List<String> run(Consumer<ChildProcess> check, String... options) {
    List<String> all = new ArrayList<>(ExtendedJvm.SENDING_NOTHING);
    all.add("-Dotel.service.name=checkout");
    all.addAll(List.of(options));
    try (ChildProcess application = ExtendedJvm.withSdk(all, AgentAndSdkTest.Application.class)) {
      assertThat(application.expect("span ")).matches("[0-9a-f]{16}").isNotEqualTo("0".repeat(16));
      check.accept(application);
      application.send("");
      assertThat(application.waitFor()).as(application.errors()).isZero();
      return application.errors().lines().toList();
    }
  }
}
