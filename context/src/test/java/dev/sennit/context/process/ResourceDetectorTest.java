/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourceDetectorTest {
  @TempDir private Path folder;

  @AfterEach
  void restore() {
    System.clearProperty("sennit.log");
    System.clearProperty("otel.service.name");
    System.clearProperty("otel.resource.attributes");
  }

  @Test
  void withoutAnEnvironmentTheProcessKnowsItself() {
    Map<String, AttributeValue> resource = ResourceDetector.detect(Map.of()).resource();
    assertThat(resource)
        .containsEntry("service.name", AttributeValue.of("unknown_service:java"))
        .containsEntry("process.pid", AttributeValue.of(ProcessHandle.current().pid()))
        .containsEntry(
            "process.runtime.version",
            AttributeValue.of(System.getProperty("java.runtime.version")))
        .containsEntry("telemetry.sdk.name", AttributeValue.of("sennit"))
        .containsEntry("telemetry.sdk.language", AttributeValue.of("java"))
        .containsEntry("telemetry.sdk.version", AttributeValue.of("dev"))
        .containsOnlyKeys(
            "service.name",
            "service.instance.id",
            "host.name",
            "process.runtime.name",
            "process.runtime.version",
            "process.runtime.description",
            "process.pid",
            "telemetry.sdk.name",
            "telemetry.sdk.language",
            "telemetry.sdk.version");
    assertThat(resource.values())
        .allMatch(
            value ->
                value instanceof AttributeValue.Whole
                    || (value instanceof AttributeValue.Text(String text) && !text.isEmpty()));
  }

  @Test
  void theInstanceIsARandomUuidThatStays() {
    String first = text(ResourceDetector.detect(Map.of()), "service.instance.id");
    assertThat(UUID.fromString(first).version()).isEqualTo(4);
    assertThat(text(ResourceDetector.detect(Map.of()), "service.instance.id")).isEqualTo(first);
  }

  @Test
  void theEnvironmentNamesServiceInstanceAndHost() {
    ProcessContext context =
        detect(
            "service.name=orders,service.instance.id=orders-1,host.name=node7,"
                + "deployment.environment.name=prod");
    assertThat(text(context, "service.name")).isEqualTo("orders");
    assertThat(text(context, "service.instance.id")).isEqualTo("orders-1");
    assertThat(text(context, "host.name")).isEqualTo("node7");
    assertThat(text(context, "deployment.environment.name")).isEqualTo("prod");
  }

  @Test
  void otelServiceNameWinsOverTheAttribute() {
    ProcessContext context =
        ResourceDetector.detect(
            Map.of(
                "OTEL_SERVICE_NAME",
                "50%25 of orders",
                "OTEL_RESOURCE_ATTRIBUTES",
                "service.name=other"));
    assertThat(text(context, "service.name")).isEqualTo("50%25 of orders");
  }

  @Test
  void propertiesWinOverVariables() {
    System.setProperty("otel.service.name", "orders");
    System.setProperty("otel.resource.attributes", "service.name=other,zone=a");
    ProcessContext context =
        ResourceDetector.detect(
            Map.of(
                "OTEL_SERVICE_NAME",
                "inherited",
                "OTEL_RESOURCE_ATTRIBUTES",
                "zone=b,inherited=1"));
    assertThat(text(context, "service.name")).isEqualTo("orders");
    assertThat(text(context, "zone")).isEqualTo("a");
    assertThat(context.resource()).doesNotContainKey("inherited");
  }

  @Test
  void blankPropertiesAreNotGiven() {
    System.setProperty("otel.service.name", " ");
    System.setProperty("otel.resource.attributes", "");
    ProcessContext context =
        ResourceDetector.detect(
            Map.of("OTEL_SERVICE_NAME", "orders", "OTEL_RESOURCE_ATTRIBUTES", "zone=b"));
    assertThat(text(context, "service.name")).isEqualTo("orders");
    assertThat(text(context, "zone")).isEqualTo("b");
  }

  @Test
  void anErrorInAPropertyIsReportedByItsName() throws IOException {
    Path log = folder.resolve("log");
    System.setProperty("sennit.log", log.toString());
    System.setProperty("otel.resource.attributes", "nothing");
    assertThat(ResourceDetector.detect(Map.of()).resource()).containsKey("service.name");
    assertThat(Files.readString(log))
        .isEqualTo("sennit: otel.resource.attributes is ignored: pair 1 has no '='\n");
  }

  @Test
  void emptyMeansNotGiven() {
    ProcessContext context =
        ResourceDetector.detect(
            Map.of("OTEL_SERVICE_NAME", "", "OTEL_RESOURCE_ATTRIBUTES", "service.name=,a=1,,"));
    assertThat(text(context, "service.name")).isEqualTo("unknown_service:java");
    assertThat(text(context, "a")).isEqualTo("1");
  }

  @Test
  void whatIsInheritedDoesNotChangeWhatTheProcessKnows() {
    ProcessContext context =
        detect("process.pid=1,process.runtime.name=none,telemetry.sdk.name=other");
    assertThat(context.resource())
        .containsEntry("process.pid", AttributeValue.of(ProcessHandle.current().pid()))
        .containsEntry("telemetry.sdk.name", AttributeValue.of("sennit"));
    assertThat(text(context, "process.runtime.name")).isNotEqualTo("none");
  }

  @Test
  void keysAndValuesArePercentDecodedAndTheLastOfEqualKeysCounts() {
    ProcessContext context = detect("a%2Cb = x%3Dy%20z ,caf%C3%A9=%e2%98%95,plus=1+1,a%2Cb=last");
    assertThat(text(context, "a,b")).isEqualTo("last");
    assertThat(text(context, "café")).isEqualTo("☕");
    assertThat(text(context, "plus")).isEqualTo("1+1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          good=1,bad=%zz    | pair 2 has a '%' that two hexadecimal digits do not follow
          bad=100%,good=1   | pair 1 has a '%' that two hexadecimal digits do not follow
          bad=%4,good=1     | pair 1 has a '%' that two hexadecimal digits do not follow
          good=1,bad=%ff    | pair 2 is not UTF-8 once decoded
          good=1,nothing    | pair 2 has no '='
          good=1,=value     | pair 2 has no key
          """)
  void oneErrorDiscardsTheVariableAndIsReported(String variable, String complaint)
      throws IOException {
    Path log = folder.resolve("log");
    System.setProperty("sennit.log", log.toString());
    ProcessContext context = detect(variable);
    assertThat(context.resource()).doesNotContainKeys("good", "bad");
    assertThat(text(context, "service.name")).isEqualTo("unknown_service:java");
    assertThat(Files.readString(log))
        .isEqualTo("sennit: OTEL_RESOURCE_ATTRIBUTES is ignored: " + complaint + "\n");
  }

  private static ProcessContext detect(String attributes) {
    return ResourceDetector.detect(Map.of("OTEL_RESOURCE_ATTRIBUTES", attributes));
  }

  private static String text(ProcessContext context, String key) {
    return context.resource().get(key) instanceof AttributeValue.Text(String text)
        ? text
        : "(no text)";
  }
}
