/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
  @Test
  void withoutACommandItIsWrongUsage() {
    Sennit sennit = Sennit.run();
    assertThat(sennit.status()).isEqualTo(2);
    assertThat(sennit.out()).isEmpty();
    assertThat(sennit.err()).isEqualTo("sennit: Missing required subcommand; try sennit --help\n");
  }

  @ParameterizedTest
  @CsvSource({
    "--nonsense, '--nonsense'",
    "frobnicate, 'frobnicate'",
    "ps --nonsense, '--nonsense'",
    "context, 'PID'",
    "context ten, 'ten'",
    "context 0, 'not 0'",
    "context -- -5, 'not -5'",
    "context 1 2, '2'",
    "demo-context --mode ring, '''ring'' is not profiler, otel or otep'",
    "demo-context --threads 0, '--threads must be between 1 and 10000, not 0'",
    "demo-context --for soon, '''soon'' is not a duration such as 500ms, 30s or 5m'",
  })
  void wrongUsageEndsWithStatus2AndOneLineThatNamesTheCulprit(String arguments, String culprit) {
    Sennit sennit = Sennit.run(arguments.split(" "));
    assertThat(sennit.status()).isEqualTo(2);
    assertThat(sennit.out()).isEmpty();
    assertThat(sennit.err().lines()).singleElement().asString().contains(culprit);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ps",
        "context",
        "convert",
        "validate",
        "doctor",
        "demo-context",
        "run",
        "daemon"
      })
  void helpEndsWithExamplesThatFitIntoATerminal(String command) {
    Sennit sennit = Sennit.run((command + " --help").strip().split(" "));
    assertThat(sennit.status()).isZero();
    assertThat(sennit.out()).contains("\nExamples:\n  sennit ").contains("Usage: sennit");
    assertThat(sennit.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(81));
    assertThat(sennit.err()).isEmpty();
  }

  @Test
  void theVersionNamesTheJavaItRunsOn() {
    Sennit sennit = Sennit.run("--version");
    assertThat(sennit.status()).isZero();
    assertThat(sennit.out()).startsWith("sennit ").contains("Java " + Runtime.version());
  }

  @Test
  void shellsCompleteCommandsAndOptions() {
    Sennit sennit = Sennit.run("generate-completion");
    assertThat(sennit.status()).isZero();
    assertThat(sennit.out()).contains("demo-context").contains("--threads").contains("--watch");
  }
}
