/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sennit.otlp.export.TlsFiles.NamedFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings of OpenTelemetry's OTLP exporter, and ours, which win. */
class ExportSettingsTest {
  private final TestSettings settings = new TestSettings();
  private boolean warned;

  @AfterEach
  void nothingUnexpectedIsSaid() {
    if (!warned) {
      assertThat(settings.warnings).isEmpty();
    }
  }

  private void assertWarning(String warning) {
    warned = true;
    assertThat(settings.warnings).containsExactly(warning);
  }

  private String endpoint() {
    return settings.read().endpoint().toString();
  }

  @Test
  void withoutSettingsACollectorOnTheSameHostIsMeant() {
    ExportSettings read = settings.read();
    assertThat(read.protocol()).isEqualTo(Protocol.HTTP_PROTOBUF);
    assertThat(read.endpoint()).hasToString("http://localhost:4318/v1development/profiles");
    assertThat(read.compression()).isEqualTo(Compression.NONE);
    assertThat(read.timeout()).isEqualTo(Duration.ofSeconds(10));
    assertThat(read.headers()).isEmpty();
    assertThat(read.tls()).isEqualTo(TlsFiles.NONE);
    assertThat(read.queueDirectory()).isEmpty();
    assertThat(read.queueBound()).isEqualTo(100 * 1024 * 1024);
    assertThat(read.maxSize()).isEqualTo(16 * 1024 * 1024);
  }

  @Test
  void grpcHasAPortOfItsOwn() {
    settings.environment("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc");
    assertThat(settings.read().protocol()).isEqualTo(Protocol.GRPC);
    assertThat(endpoint()).isEqualTo("http://localhost:4317");
  }

  @Test
  void messagesByGrpcAreSmallerThanWhatItsLibrariesTake() {
    settings.environment("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc");
    assertThat(settings.read().maxSize()).isBetween(3L << 20, (4L << 20) - 1);
    settings.environment("SENNIT_OTLP_MAX_SIZE", "64KiB");
    assertThat(settings.read().maxSize()).isEqualTo(64 * 1024);
  }

  @Test
  void everySignalHasItsPath() {
    ExportSettings logs = ExportSettings.read(Signal.LOGS, name -> null, name -> null, line -> {});
    assertThat(logs.endpoint()).hasToString("http://localhost:4318/v1/logs");
  }

  @ParameterizedTest
  @CsvSource({
    "http://c:4318,         http://c:4318/v1development/profiles",
    "http://c:4318/,        http://c:4318/v1development/profiles",
    "https://c/otlp,        https://c/otlp/v1development/profiles",
    "http://c/otlp/?key=a%2Fb, http://c/otlp/v1development/profiles?key=a%2Fb",
    "http://[::1]:9,        http://[::1]:9/v1development/profiles",
  })
  void thePathOfTheSignalIsAppendedToTheGeneralEndpoint(String general, String expected) {
    settings.environment("OTEL_EXPORTER_OTLP_ENDPOINT", general);
    assertThat(endpoint()).isEqualTo(expected);
  }

  @Test
  void theEndpointOfTheSignalIsUsedAsItIs() {
    settings
        .environment("OTEL_EXPORTER_OTLP_ENDPOINT", "http://general:1")
        .environment("OTEL_EXPORTER_OTLP_PROFILES_ENDPOINT", "http://profiles:2/");
    assertThat(endpoint()).isEqualTo("http://profiles:2/");
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://own:1", "http://own:1/", "http://own:1/v1development/profiles"})
  void ourEndpointMayHaveThePathOrNot(String own) {
    settings
        .environment("OTEL_EXPORTER_OTLP_PROFILES_ENDPOINT", "http://profiles:2/")
        .environment("SENNIT_OTLP_ENDPOINT", own);
    assertThat(endpoint()).isEqualTo("http://own:1/v1development/profiles");
  }

  @Test
  void theMoreSpecificWinsAndThePropertyBeforeTheVariable() {
    String[] ascending = {
      "OTEL_EXPORTER_OTLP_TIMEOUT",
      "otel.exporter.otlp.timeout",
      "OTEL_EXPORTER_OTLP_PROFILES_TIMEOUT",
      "otel.exporter.otlp.profiles.timeout",
      "SENNIT_OTLP_TIMEOUT",
      "sennit.otlp.timeout",
    };
    for (int i = 0; i < ascending.length; i++) {
      String value = Integer.toString(1000 + i);
      if (i % 2 == 0) {
        settings.environment(ascending[i], value);
      } else {
        settings.property(ascending[i], value);
      }
      assertThat(settings.read().timeout()).as(ascending[i]).hasMillis(1000 + i);
    }
  }

  @Test
  void anEmptyValueIsNone() {
    settings.environment("OTEL_EXPORTER_OTLP_ENDPOINT", "  ").property("sennit.otlp.timeout", "");
    assertThat(endpoint()).isEqualTo("http://localhost:4318/v1development/profiles");
  }

  @Test
  void aProtocolOfOpenTelemetryThatIsNotKnownCountsAsUnset() {
    settings
        .environment("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
        .environment("OTEL_EXPORTER_OTLP_PROFILES_PROTOCOL", "http/json");
    assertThat(settings.read().protocol()).isEqualTo(Protocol.GRPC);
    assertWarning(
        "OTEL_EXPORTER_OTLP_PROFILES_PROTOCOL=http/json is not a protocol; use grpc or"
            + " http/protobuf; ignored");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "ten", "0", "2h", "99999999999"})
  void aTimeoutOfOpenTelemetryThatIsNoneCountsAsUnset(String value) {
    settings.environment("OTEL_EXPORTER_OTLP_TIMEOUT", value);
    assertThat(settings.read().timeout()).hasSeconds(10);
    warned = true;
    assertThat(settings.warnings)
        .singleElement()
        .asString()
        .startsWith("OTEL_EXPORTER_OTLP_TIMEOUT=" + value + " ");
  }

  @ParameterizedTest
  @CsvSource({"1500, 1500", "2s, 2000", "250ms, 250", "1m, 60000"})
  void aTimeIsInMillisecondsOrNamesItsUnit(String value, long millis) {
    settings.property("otel.exporter.otlp.timeout", value);
    assertThat(settings.read().timeout()).hasMillis(millis);
  }

  @ParameterizedTest
  @CsvSource({
    "protocol,    http/json, 'is not a protocol; use grpc or http/protobuf'",
    "compression, zstd,      'is not a compression; use gzip or none'",
    "timeout,     0,         'is not between 1ms and 1h'",
    "queue.bound, 100MB,     'is not a size such as 512KiB or 100MiB'",
    "max.size,    10KiB,     'is not between 16KiB and 64MiB'",
    "max.size,    65MiB,     'is not between 16KiB and 64MiB'",
    "endpoint,    c:4317,    'is not a URL such as http://localhost:4318'",
    "endpoint,    http:///x, 'is a URL without a host or with a port that is none'",
    "endpoint,    http://a b, 'is not a URL: Illegal character in authority'",
  })
  void aSettingOfOursThatCannotBeMeantIsAnError(String key, String value, String problem) {
    settings.property("sennit.otlp." + key, value);
    assertThatIllegalArgumentException()
        .isThrownBy(settings::read)
        .withMessageStartingWith("sennit.otlp." + key + "=" + value + " " + problem);
  }

  @Test
  void anEndpointIsNeverGuessed() {
    settings.environment("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4317");
    assertThatIllegalArgumentException()
        .isThrownBy(settings::read)
        .withMessage(
            "OTEL_EXPORTER_OTLP_ENDPOINT=collector:4317 is not a URL such as"
                + " http://localhost:4318");
  }

  @Test
  void headersArePercentDecodedAndAPlusIsAPlus() {
    settings.environment("OTEL_EXPORTER_OTLP_HEADERS", "Api-Key=a+b%3D%2c%20c ,, empty= ,x=y=z");
    assertThat(settings.read().headers())
        .isEqualTo(Map.of("api-key", "a+b=, c", "empty", "", "x", "y=z"));
  }

  @ParameterizedTest
  @CsvSource({
    "'a=b,secret',     'has an entry, number 2, not NAME=VALUE'",
    "'a b=secret',     'has an entry, number 1, not NAME=VALUE'",
    "'TE=secret',       'has a header te, which is not for settings'",
    "'k=secret%2',     'has a header k where no two hexadecimal digits follow a %'",
    "'k=secret%0A',    'has a header k with characters other than those of printable ASCII'",
  })
  void aHeaderThatIsNoneIsNamedWithoutShowingIt(String value, String problem) {
    settings.environment("OTEL_EXPORTER_OTLP_HEADERS", value);
    assertThatIllegalArgumentException()
        .isThrownBy(settings::read)
        .withMessage("OTEL_EXPORTER_OTLP_HEADERS " + problem);
  }

  @Test
  void theTextOfSettingsHoldsNoSecrets() {
    settings.property("sennit.otlp.headers", "authorization=secret");
    assertThat(settings.read().toString()).contains("[authorization]").doesNotContain("secret");
  }

  @Test
  void certificatesKeepTheNameOfTheirSetting() {
    settings
        .environment("OTEL_EXPORTER_OTLP_CERTIFICATE", "/ca.pem")
        .environment("OTEL_EXPORTER_OTLP_PROFILES_CLIENT_KEY", "/key.pem")
        .property("otel.exporter.otlp.client.certificate", "/me.pem");
    assertThat(settings.read().tls())
        .isEqualTo(
            new TlsFiles(
                new NamedFile("OTEL_EXPORTER_OTLP_CERTIFICATE", Path.of("/ca.pem")),
                new NamedFile("OTEL_EXPORTER_OTLP_PROFILES_CLIENT_KEY", Path.of("/key.pem")),
                new NamedFile("otel.exporter.otlp.client.certificate", Path.of("/me.pem"))));
  }

  @Test
  void aClientNeedsBothAKeyAndACertificate() {
    settings.environment("OTEL_EXPORTER_OTLP_CLIENT_KEY", "/key.pem");
    assertThatIllegalArgumentException()
        .isThrownBy(settings::read)
        .withMessageStartingWith("OTEL_EXPORTER_OTLP_CLIENT_KEY=/key.pem stands alone");
  }

  @Test
  void theQueueIsOurs() {
    settings
        .environment("SENNIT_OTLP_QUEUE_DIRECTORY", "/var/spool/sennit")
        .property("sennit.otlp.queue.bound", "2GiB");
    assertThat(settings.read().queueDirectory()).contains(Path.of("/var/spool/sennit"));
    assertThat(settings.read().queueBound()).isEqualTo(2L << 30);
  }
}
