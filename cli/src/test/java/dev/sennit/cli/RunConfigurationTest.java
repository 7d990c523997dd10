/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sennit run} with a file, over which its options win. */
@Requires(root = true, commands = "curl")
class RunConfigurationTest {
  private static final String NOBODY = "http://127.0.0.1:1";

  @TempDir private Path folder;
  private Collector collector;

  @BeforeEach
  void serve() throws IOException {
    collector = Collector.start(0);
  }

  @AfterEach
  void stop() {
    collector.close();
  }

  @Test
  void theFileIsObeyed() throws IOException {
    Path file = write("");

    Sennit run = curl("--config", file.toString());

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.err()).contains("sennit: 0 requests served, 1 sent; 1 spans");
    assertThat(collector.spans()).hasSize(1);
  }

  @Test
  void anOptionWinsOverIt() throws IOException {
    Path file = write("tracing: {sampling_ratio: 0}\n");

    assertThat(curl("--config", file.toString()).err()).contains("1 sent; 0 spans");
    assertThat(collector.spans()).isEmpty();
    assertThat(curl("--config", file.toString(), "--sample", "1").err()).contains("1 sent; 1 span");
    assertThat(collector.spans()).hasSize(1);
    assertThat(curl("--config", file.toString(), "--sample", "1", "--otlp", NOBODY).err())
        .contains("1 requests wait on disk");
    assertThat(collector.spans()).hasSize(1);
  }

  @Test
  void withoutTheHookTheCommandRunsUnseen() throws IOException {
    Sennit run = curl("--config", write("hook: {enabled: false}\n").toString());

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.err()).contains("0 requests served, 0 sent");
  }

  @Test
  void whatIsWrongIsSaidBeforeAnythingRuns() throws IOException {
    Path file = Files.writeString(folder.resolve("f.yaml"), "hook:\n  inject: maybe\n");

    Sennit run = curl("--config", file.toString());

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo("sennit: " + file + ":2: hook.inject: 'maybe' is not true or false\n");
    assertThat(curl("--otlp", "ftp://x").err())
        .isEqualTo("sennit: --otlp: ftp://x is not a URL such as http://localhost:4318\n");
    Path wrong = write("");
    Files.writeString(wrong, "  certificate: /no/such.pem\n", StandardOpenOption.APPEND);
    Sennit unusable = curl("--config", wrong.toString(), "--otlp", "https://localhost");
    assertThat(unusable.status()).isEqualTo(2);
    assertThat(unusable.err())
        .startsWith("sennit: " + wrong + ":4: export.certificate: /no/such.pem");
    assertThat(unusable.err().lines()).hasSize(1);
    assertThat(curl("--sample", "2").err()).isEqualTo("sennit: sample ratio 2.0: 0 to 1\n");
  }

  private Sennit curl(String... options) {
    String[] arguments = new String[options.length + 6];
    arguments[0] = "run";
    arguments[1] = "--no-agent";
    System.arraycopy(options, 0, arguments, 2, options.length);
    arguments[options.length + 2] = "--";
    arguments[options.length + 3] = "curl";
    arguments[options.length + 4] = "-s";
    arguments[options.length + 5] = collector.address();
    return Sennit.run(arguments);
  }

  private Path write(String more) throws IOException {
    return Files.writeString(
        folder.resolve("f.yaml"),
        more
            + "export:\n  endpoint: "
            + collector.address()
            + "\n  queue: {directory: "
            + folder.resolve("queue")
            + "}\n");
  }
}
