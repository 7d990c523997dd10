/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sennit.agent.callstack.CallStackSettings.DataFormat;
import dev.sennit.otlp.export.Protocol;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CallStackSettingsTest {
  @Test
  void hasTheDefaultsOfTheConventions() {
    CallStackSettings settings = read(Map.of(), Map.of());
    assertThat(settings.interval()).isEqualTo(Duration.ofSeconds(1));
    assertThat(settings.export().protocol()).isEqualTo(Protocol.GRPC);
    assertThat(settings.export().endpoint()).isEqualTo(URI.create("http://localhost:4317"));
    assertThat(settings.format()).isEqualTo(DataFormat.TEXT);
    assertThat(settings.includeJvmThreads()).isFalse();
    assertThat(settings.includeAgentThreads()).isFalse();
    assertThat(settings.parkedVirtualThreads()).isFalse();
    assertThat(settings.excludedThreads()).isEmpty();
    assertThat(settings.throughSdk()).isTrue();
  }

  @Test
  void sendsToTheEndpointOfItsOwnBeforeTheGeneralOne() {
    Map<String, String> both =
        Map.of(
            "OTEL_EXPORTER_OTLP_ENDPOINT", "http://general:1",
            "SPLUNK_PROFILER_LOGS_ENDPOINT", "https://own:2");
    assertThat(read(both, Map.of()).export().endpoint()).isEqualTo(URI.create("https://own:2"));
    assertThat(
            read(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://general:1"), Map.of())
                .export()
                .endpoint())
        .isEqualTo(URI.create("http://general:1"));
  }

  @Test
  void speaksGrpcWhateverOtherSignalsSpeak() {
    Map<String, String> others =
        Map.of(
            "OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf",
            "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", "http://logs:1/v1/logs",
            "SENNIT_OTLP_ENDPOINT", "http://profiles:1",
            "OTEL_EXPORTER_OTLP_HEADERS", "x-sf-token=secret");
    CallStackSettings settings = read(others, Map.of());
    assertThat(settings.export().protocol()).isEqualTo(Protocol.GRPC);
    assertThat(settings.export().endpoint()).isEqualTo(URI.create("http://localhost:4317"));
    assertThat(settings.export().headers()).containsEntry("x-sf-token", "secret");
  }

  @Test
  void takesPropertiesBeforeVariables() {
    CallStackSettings settings =
        read(
            Map.of(
                "SPLUNK_PROFILER_CALL_STACK_INTERVAL", "5000",
                "SPLUNK_PROFILER_EXCLUDED_THREADS", "pool-*, main"),
            Map.of(
                "splunk.profiler.call.stack.interval", "250",
                "splunk.profiler.include.internal.stacks", "true",
                "splunk.profiler.include.agent.internals", "false",
                "splunk.profiler.virtual.threads", "all",
                "splunk.profiler.data.format", "pprof-gzip-base64",
                "splunk.profiler.sdk.exporter", "false",
                "splunk.profiler.logs-endpoint", "http://own:2"));
    assertThat(settings.interval()).isEqualTo(Duration.ofMillis(250));
    assertThat(settings.includeJvmThreads()).isTrue();
    assertThat(settings.includeAgentThreads()).isFalse();
    assertThat(settings.parkedVirtualThreads()).isTrue();
    assertThat(settings.format()).isEqualTo(DataFormat.PPROF);
    assertThat(settings.throughSdk()).isFalse();
    assertThat(settings.excludedThreads()).containsExactly("pool-*", "main");
    assertThat(settings.export().endpoint()).isEqualTo(URI.create("http://own:2"));
  }

  @Test
  void saysWhatAWrongSettingShouldBe() {
    assertWrong("SPLUNK_PROFILER_CALL_STACK_INTERVAL", "0", "from 1 to 86400000");
    assertWrong("SPLUNK_PROFILER_CALL_STACK_INTERVAL", "1s", "a number of milliseconds");
    assertWrong("SPLUNK_PROFILER_VIRTUAL_THREADS", "some", "one of mounted, all");
    assertWrong("SPLUNK_PROFILER_DATA_FORMAT", "json", "one of text, pprof-gzip-base64");
    assertWrong("SPLUNK_PROFILER_INCLUDE_INTERNAL_STACKS", "yes", "true or false");
    assertWrong("SPLUNK_PROFILER_LOGS_ENDPOINT", "localhost:4317", "a URL such as");
    assertWrong("SPLUNK_PROFILER_OTLP_PROTOCOL", "http/json", "one of grpc, http/protobuf");
  }

  private static void assertWrong(String variable, String value, String... hints) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read(Map.of(variable, value), Map.of()))
        .withMessageContaining(variable + "=" + value)
        .withMessageContainingAll(hints);
  }

  private static CallStackSettings read(
      Map<String, String> environment, Map<String, String> properties) {
    return CallStackSettings.read(environment::get, properties::get, warning -> {});
  }
}
