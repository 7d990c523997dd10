/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.tracing.protocol.FuzzedParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The short form of {@code bench/fuzz}. */
final class FuzzRunTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void everyParserSurvivesSomeThousandInputs(FuzzedParser parser)
      throws IOException, InterruptedException {
    FuzzRun run = FuzzRun.run(parser, folder, "-runs=2000");
    assertThat(run.survived()).as(Files.readString(run.log())).isTrue();
    assertThat(run.executed()).isGreaterThanOrEqualTo(2000);
  }
}
