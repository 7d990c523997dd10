/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.fuzz;

import com.code_intelligence.jazzer.Jazzer;
import dev.sennit.testing.ChildProcess;
import dev.sennit.tracing.protocol.FuzzedParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A run of Jazzer on one parser. What it found worth keeping stays in the folder and is where the
 * next run begins.
 *
 * @param executed how many inputs it tried
 * @param survived whether the parser survived all of them
 * @param log what Jazzer printed, and where it put the input that was not survived
 */
record FuzzRun(FuzzedParser parser, long executed, boolean survived, Path log) {
  private static final String EXECUTED = "stat::number_of_executed_units:";

  /** An input that takes longer is a hang. */
  private static final String SECONDS_FOR_AN_INPUT = "10";

  /**
   * @param limit an option of libFuzzer that ends the run: {@code -max_total_time=} or {@code
   *     -runs=}
   */
  static FuzzRun run(FuzzedParser parser, Path folder, String limit)
      throws IOException, InterruptedException {
    Path own = folder.resolve(parser.name().toLowerCase(Locale.ROOT));
    Path corpus = Files.createDirectories(own.resolve("corpus"));
    List<byte[]> seeds = parser.seeds();
    for (int i = 0; i < seeds.size(); i++) {
      Files.write(corpus.resolve("seed-" + i), seeds.get(i));
    }
    Path log = own.resolve("log.txt");
    int status =
        new ProcessBuilder(command(parser, own, corpus, limit))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .waitFor();
    long executed =
        Files.readAllLines(log).stream()
            .filter(line -> line.startsWith(EXECUTED))
            .mapToLong(line -> Long.parseLong(line.substring(EXECUTED.length()).strip()))
            .findFirst()
            .orElse(0);
    return new FuzzRun(parser, executed, status == 0 && executed > 0, log);
  }

  private static List<String> command(FuzzedParser parser, Path own, Path corpus, String limit) {
    List<String> options =
        List.of(
            "-Xmx512m",
            "-XX:+EnableDynamicAgentLoading",
            "--sun-misc-unsafe-memory-access=allow",
            "-D" + FuzzTarget.PARSER + "=" + parser.name());
    return ChildProcess.javaCommand(
        options,
        Jazzer.class,
        "--target_class=" + FuzzTarget.class.getName(),
        "--instrumentation_includes=dev.sennit.tracing.**",
        "--custom_hook_includes=dev.sennit.tracing.**",
        "--reproducer_path=" + own,
        "-artifact_prefix=" + own + "/",
        "-timeout=" + SECONDS_FOR_AN_INPUT,
        "-max_len=8192",
        "-print_final_stats=1",
        limit,
        corpus.toString());
  }
}
