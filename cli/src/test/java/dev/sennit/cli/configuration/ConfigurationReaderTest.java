/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The file is read as it is meant, or one line says where it cannot be. */
class ConfigurationReaderTest {
  @TempDir Path folder;

  @Test
  void whatTheFileSaysWinsOverTheDefaults() throws Exception {
    Configuration read =
        read(
            """
            targets:
              pids: [4711, 4712]
              cgroups:
                - /shop.slice
                - "/a b"
            hook: {enabled: false, capture: 16KiB, context_ttl: "5m"}
            tracing:
              sampling_ratio: 0.25
              protocols:
                redis: {enabled: false}
            export:
              headers:
                Authorization: Bearer secret
                x-tenant: 7
            """);

    assertThat(read.get(Keys.PIDS)).containsExactly(4711, 4712);
    assertThat(read.get(Keys.CGROUPS)).containsExactly("/shop.slice", "/a b");
    assertThat(read.get(Keys.HOOK_ENABLED)).isFalse();
    assertThat(read.get(Keys.HOOK_CAPTURE)).isEqualTo(16 << 10);
    assertThat(read.get(Keys.HOOK_CONTEXT_TTL)).isEqualTo(Duration.ofMinutes(5));
    assertThat(read.get(Keys.SAMPLING_RATIO)).isEqualTo(0.25);
    assertThat(read.find(protocol("redis"))).contains(false);
    assertThat(read.find(protocol("http"))).isEmpty();
    assertThat(read.get(Keys.EXPORT_HEADERS))
        .isEqualTo(Map.of("authorization", "Bearer secret", "x-tenant", "7"));
    assertThat(read.get(Keys.HOOK_INJECT)).isTrue();
    assertThat(read.place(Keys.SAMPLING_RATIO)).isEqualTo("f.yaml:8: tracing.sampling_ratio");
  }

  @Test
  void theDefaultsAreThoseOfTheDocumentThatThisImplements() throws Exception {
    Configuration read = read("");

    assertThat(read).isEqualTo(Configuration.defaults());
    assertThat(read.get(Keys.HOOK_ENABLED)).isTrue();
    assertThat(read.get(Keys.HOOK_ON_DEMAND)).isFalse();
    assertThat(read.get(Keys.TRACING_ENABLED)).isTrue();
    assertThat(Keys.PROTOCOLS)
        .containsOnlyKeys("http", "grpc", "postgres", "mysql", "redis", "mongodb", "dns")
        .allSatisfy((name, key) -> assertThat(read.get(key)).isTrue());
    assertThat(read.get(Keys.CORRELATION_ENABLED)).isTrue();
    assertThat(read.get(Keys.CORRELATION_STRATEGY)).isEqualTo("pid_tid_timestamp");
    assertThat(read.get(Keys.CORRELATION_WINDOW)).isEqualTo(Duration.ofMillis(100));
    assertThat(read.get(Keys.STITCHING_WINDOW)).isEqualTo(Duration.ofSeconds(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "# nothing\n", "hook:\n", "hook: {}\n", "---\nhook:\n...\n"})
  void aSectionMayBeEmpty(String text) throws Exception {
    assertThat(read(text)).isEqualTo(Configuration.defaults());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // a key that is not known
        "hok: 1 | 1: hok: unknown key (did you mean hook?); allowed here: targets, hook, jvm,"
            + " tracing, correlation, export, metrics, store, page, receive",
        "endpoint: x | 1: endpoint: unknown key (did you mean export.endpoint?); allowed here:"
            + " targets, hook, jvm, tracing, correlation, export, metrics, store, page, receive",
        "correlation:\\n  windw: 1s | 2: correlation.windw: unknown key (did you mean"
            + " correlation.window?); allowed here: enabled, strategy, window,"
            + " ambiguous, files, line, mask, tail",
        "correlation:\\n  x: 1s | 2: correlation.x: unknown key; allowed here: enabled, strategy,"
            + " window, ambiguous, files, line, mask, tail",
        "tracing: {protocols: {http: {on: true}}} | 1: tracing.protocols.http.on: unknown key;"
            + " allowed here: enabled, guess_route",
        // a value of another type
        "hook:\\n  enabled: yes | 2: hook.enabled: 'yes' is not true or false",
        "hook:\\n  enabled: \"true\" | 2: hook.enabled: the text 'true' is not true or false",
        "hook:\\n  enabled: | 2: hook.enabled: nothing is not true or false",
        "hook:\\n  enabled: [true] | 2: hook.enabled: a list is not true or false",
        "hook:\\n  enabled: {a: 1} | 2: hook.enabled: a mapping is not true or false",
        "hook: true | 1: hook: 'true' is not a section; allowed here: enabled, on_demand, inject,"
            + " start_traces, http2, baggage, capture, scan, context_ttl, ring, connections,"
            + " threads",
        "- hook | 1: a list is not a section; allowed here: targets, hook, jvm, tracing,"
            + " correlation, export, metrics, store, page, receive",
        "targets:\\n  pids: 12 | 2: targets.pids: '12' is not a list such as [4711, 4712], of"
            + " at most 1024",
        "targets:\\n  pids:\\n  - 1\\n  - all | 4: targets.pids: 'all' is not a whole number from"
            + " 1 to 4194304",
        "? [a]\\n: 1 | 1: a list is not a key",
        // a value that is not allowed
        "targets: {pids: [0]} | 1: targets.pids: '0' is not a whole number from 1 to 4194304",
        "targets: {pids: [7, 7]} | 1: targets.pids: '7' stands there twice",
        "tracing: {sampling_ratio: 1.5} | 1: tracing.sampling_ratio: '1.5' is not a number from 0"
            + " to 1",
        "tracing: {sampling_ratio: .nan} | 1: tracing.sampling_ratio: '.nan' is not a number from"
            + " 0 to 1",
        "tracing: {sdk_spans: keep} | 1: tracing.sdk_spans: 'keep' is not drop or child",
        "correlation: {strategy: pid} | 1: correlation.strategy: 'pid' is not pid_tid_timestamp",
        "correlation: {window: 100} | 1: correlation.window: '100' is not a duration such as"
            + " 500ms, 30s or 5m, from 1ms to 1m",
        "correlation: {window: 1h} | 1: correlation.window: '1h' is not a duration such as 500ms,"
            + " 30s or 5m, from 1ms to 1m",
        "hook: {capture: 17KiB} | 1: hook.capture: '17KiB' is not a size such as 512KiB or 64MiB,"
            + " from 0 to 16KiB",
        "hook: {ring: 3MiB} | 1: hook.ring: '3MiB' is not a power of two from 4KiB to 1GiB",
        "metrics: {listen: 9464} | 1: metrics.listen: '9464' is not an address such as"
            + " 127.0.0.1:9464, or off",
        "metrics: {listen: '[::1]:99999'} | 1: metrics.listen: the text '[::1]:99999' is not an"
            + " address such as 127.0.0.1:9464, or off",
        // the same key twice
        "hook:\\n  http2: true\\n  http2: true | 3: hook.http2: stands there twice, first in line"
            + " 2",
        "hook:\\n  http2: true\\nhook: | 3: hook: stands there twice, first in line 1",
        // what is not YAML, or more than is taken of it
        "hook: enabled: true | 1: is not YAML: mapping values are not allowed here",
        "hook: [1 | 1: is not YAML: while parsing a flow sequence, expected ',' or ']', but got"
            + " <stream end>",
        "a: 1\\n--- \\nb: 2 | 2: is not YAML: expected a single document in the stream, but found"
            + " another document",
        "hook: &h {http2: true}\\ntracing: *h | 2: *h: aliases are not taken; write the value",
        "hook: {http2: !!str true} | 1: tag:yaml.org,2002:str: tags are not taken",
      })
  void whatIsWrongIsSaidInOneLineWithItsPlace(String text, String line) {
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> read(text.replace("\\n", "\n")))
        .withMessage("f.yaml:" + line);
  }

  @Test
  void theValueOfAHeaderIsNeverShown() {
    for (String headers :
        List.of("[secret]", "secret", "{x: [secret]}", "{x: secret, X: secret}", "{x y: secret}")) {
      assertThatExceptionOfType(ConfigurationException.class)
          .isThrownBy(() -> read("export: {headers: " + headers + "}"))
          .withMessageStartingWith("f.yaml:1: export.headers: ")
          .withMessageNotContaining("secret");
    }
  }

  @Test
  void bombsOfAliasesAndOfNestingEndAtOnce() {
    StringBuilder aliases = new StringBuilder("a0: &a0 [x, x]\n");
    for (int i = 1; i < 40; i++) {
      aliases.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
    }
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> read(aliases.toString()))
        .withMessage("f.yaml:2: *a0: aliases are not taken; write the value");
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> read("hook: " + "[".repeat(100_000) + "]".repeat(100_000)))
        .withMessage("f.yaml:1: is nested too deeply");
  }

  @Test
  void aFileThatCannotBeReadIsNamed() throws IOException {
    assertWrong(folder.resolve("none.yaml"), "there is no such file");
    assertWrong(folder, "cannot be read: Is a directory");
    assertWrong(
        Files.write(folder.resolve("latin.yaml"), new byte[] {'a', (byte) 0xe4}),
        "is not text in UTF-8");
    assertWrong(
        Files.writeString(folder.resolve("large.yaml"), "#" + "x".repeat(1 << 20)),
        "is larger than 1 MiB, which no configuration is");
    assertWrong(
        Files.writeString(folder.resolve("control.yaml"), "hook: \u0001"),
        "is not YAML: special characters are not allowed");
  }

  @Test
  void aByteOrderMarkIsNoKey() throws Exception {
    Path file = Files.writeString(folder.resolve("bom.yaml"), "\uFEFFhook: {http2: true}");
    assertThat(ConfigurationReader.read(file).get(Keys.HOOK_HTTP2)).isTrue();
  }

  @Test
  void anOptionOfTheCommandLineWins() throws Exception {
    Configuration changed =
        read("hook: {inject: true}").with(Keys.HOOK_INJECT, false, "--no-inject");
    assertThat(changed.get(Keys.HOOK_INJECT)).isFalse();
    assertThat(changed.place(Keys.HOOK_INJECT)).isEqualTo("--no-inject");
  }

  private static Key<Boolean> protocol(String name) {
    return Objects.requireNonNull(Keys.PROTOCOLS.get(name));
  }

  private static void assertWrong(Path file, String what) {
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> ConfigurationReader.read(file))
        .withMessage(file + ": " + what);
  }

  private static Configuration read(String text) throws ConfigurationException {
    return ConfigurationReader.read("f.yaml", text);
  }
}
