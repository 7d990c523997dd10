/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.otlp.AttributeValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmc.flightrecorder.writer.api.Types;

/** What the settings that a recording tells of say of the service. */
class JvmFactsTest {
  private static final String PROPERTY = "jdk.InitialSystemProperty";
  private static final String VARIABLE = "jdk.InitialEnvironmentVariable";
  private static final String JVM = "jdk.JVMInformation";

  @TempDir Path folder;
  private int files;

  @Test
  void theNameOfTheServiceWinsOverTheAttributesAndAPropertyOverItsVariable() throws IOException {
    assertThat(
            resource(
                Map.of("otel.resource.attributes", "service.name=a,service.version=1"),
                Map.of("OTEL_SERVICE_NAME", "b", "OTEL_RESOURCE_ATTRIBUTES", "host.name=h")))
        .containsEntry("service.name", "b")
        .containsEntry("service.version", "1")
        .doesNotContainKey("host.name");
    assertThat(resource(Map.of("otel.service.name", "c"), Map.of("OTEL_SERVICE_NAME", "b")))
        .containsEntry("service.name", "c");
    assertThat(resource(Map.of(), Map.of("OTEL_RESOURCE_ATTRIBUTES", "service.name=a, team=x")))
        .containsEntry("service.name", "a")
        .containsEntry("team", "x");
  }

  @Test
  void attributesAreDecodedAndBrokenOnesAreNone() throws IOException {
    assertThat(resource(Map.of(), Map.of("OTEL_RESOURCE_ATTRIBUTES", "team=a%2Cb+c,%6Bey=%C3%A9,")))
        .containsEntry("team", "a,b+c")
        .containsEntry("key", "\u00e9");
    for (String broken : new String[] {"team=a%2", "team=a,nothing", "team=a,=b"}) {
      assertThat(resource(Map.of(), Map.of("OTEL_RESOURCE_ATTRIBUTES", broken)))
          .containsOnlyKeys("service.name")
          .containsEntry("service.name", "unknown_service:java");
    }
  }

  @Test
  void datadogsSettingsCountWhereThoseOfOpenTelemetryAreSilent() throws IOException {
    Map<String, String> properties = Map.of("dd.service", "cart", "dd.version", "1.2");
    assertThat(resource(properties, Map.of("DD_ENV", "prod", "DD_SERVICE", "other")))
        .containsEntry("service.name", "cart")
        .containsEntry("service.version", "1.2")
        .containsEntry("deployment.environment.name", "prod");
    assertThat(resource(properties, Map.of("OTEL_RESOURCE_ATTRIBUTES", "service.name=a,team=x")))
        .containsEntry("service.name", "a")
        .containsEntry("service.version", "1.2")
        .containsEntry("team", "x");
  }

  @Test
  void whatRecordingsOfDifferentJvmsDisagreeOnIsNamed() throws IOException {
    Path one = write(Map.of("otel.service.name", "cart", "dd.env", "prod"), Map.of(), 1);
    Path other = write(Map.of("otel.service.name", "shop", "dd.env", "prod"), Map.of(), 2);
    JfrToOtlpConverter converter = new JfrToOtlpConverter().addFile(one).addFile(other);
    assertThat(new Converted(converter.convert()).resource())
        .containsEntry("service.name", "unknown_service:java")
        .containsEntry("deployment.environment.name", "prod");
    assertThat(converter.warnings())
        .singleElement()
        .asString()
        .startsWith("the recordings disagree on process.pid, service.name since")
        .contains("different JVMs");
    converter.addFile(one).addFile(one).convert();
    assertThat(converter.warnings()).isEmpty();
  }

  @Test
  void whatTheOptionsSayIsNotDisputed() throws IOException {
    Path one = write(Map.of("otel.service.name", "cart"), Map.of(), 0);
    Path other = write(Map.of("otel.service.name", "shop"), Map.of(), 0);
    JfrToOtlpConverter converter =
        new JfrToOtlpConverter(
            ConversionOptions.defaults()
                .withResource(Map.of("service.name", AttributeValue.of("all"))));
    converter.addFile(one).addFile(other).convert();
    assertThat(converter.warnings()).isEmpty();
  }

  private Map<String, Object> resource(
      Map<String, String> properties, Map<String, String> variables) throws IOException {
    return Converted.of(write(properties, variables, 0)).resource();
  }

  private Path write(Map<String, String> properties, Map<String, String> variables, int pid)
      throws IOException {
    Path file = folder.resolve(files++ + ".jfr");
    try (SampleWriter writer = new SampleWriter(file)) {
      for (String event : new String[] {PROPERTY, VARIABLE}) {
        writer.declare(
            event, Map.of("key", Types.Builtin.STRING, "value", Types.Builtin.STRING), false);
      }
      writer.declare(
          JVM, Map.of("pid", Types.Builtin.LONG, "jvmStartTime", Types.Builtin.LONG), false);
      properties.forEach((key, value) -> setting(writer, PROPERTY, key, value));
      variables.forEach((key, value) -> setting(writer, VARIABLE, key, value));
      writer.write(
          JVM, 1, event -> event.putField("pid", (long) pid).putField("jvmStartTime", 1000L + pid));
    }
    return file;
  }

  private static void setting(SampleWriter writer, String event, String key, String value) {
    writer.write(event, 1, fields -> fields.putField("key", key).putField("value", value));
  }
}
