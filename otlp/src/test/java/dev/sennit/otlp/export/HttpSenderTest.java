/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.Code;
import com.google.rpc.Status;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesPartialSuccess;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** OTLP/HTTP against the JDK's server, decoding with OpenTelemetry's classes. */
class HttpSenderTest {
  private static final SendResult TAKEN = new SendResult.Delivered(0, "");

  private final HttpCollector collector = HttpCollector.start();

  @AfterEach
  void stop() {
    collector.close();
  }

  private TestSettings settings() {
    return new TestSettings()
        .environment("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:" + collector.port());
  }

  private OtlpSender sender() {
    return OtlpSender.create(settings().read());
  }

  @Test
  void messagesArriveInOrderAtThePathOfTheSignal() {
    try (OtlpSender sender = sender()) {
      for (int i = 0; i < 5; i++) {
        assertThat(sender.send(Messages.numbered(i))).isEqualTo(TAKEN);
      }
    }
    assertThat(collector.received()).containsExactly(0, 1, 2, 3, 4);
    assertThat(collector.connections).hasSize(1);
    assertThat(collector.path).isEqualTo("/v1development/profiles");
    assertThat(collector.headers.getFirst("Content-Type")).isEqualTo("application/x-protobuf");
    assertThat(collector.headers.getFirst("User-Agent")).startsWith("Sennit-OTLP-Exporter-Java");
  }

  @Test
  void theEndpointOfTheSignalIsUsedAsItIs() {
    ExportSettings settings =
        settings()
            .environment(
                "OTEL_EXPORTER_OTLP_PROFILES_ENDPOINT",
                "http://localhost:" + collector.port() + "/intake?token=a%2Fb")
            .read();
    try (OtlpSender sender = OtlpSender.create(settings)) {
      assertThat(sender.send(Messages.numbered(1))).isEqualTo(TAKEN);
    }
    assertThat(collector.path).isEqualTo("/intake?token=a%2Fb");
  }

  @Test
  void gzipAndHeadersGoWithTheRequest() {
    ExportSettings settings =
        settings()
            .environment("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip")
            .environment("OTEL_EXPORTER_OTLP_HEADERS", "Authorization=Basic%20YTpi, x-tenant = b+c")
            .read();
    try (OtlpSender sender = OtlpSender.create(settings)) {
      assertThat(sender.send(Messages.numbered(1, 3_000_000))).isEqualTo(TAKEN);
    }
    assertThat(collector.received()).containsExactly(1);
    assertThat(collector.headers.getFirst("Content-Encoding")).isEqualTo("gzip");
    assertThat(collector.headers.getFirst("Authorization")).isEqualTo("Basic YTpi");
    assertThat(collector.headers.getFirst("X-Tenant")).isEqualTo("b+c");
  }

  @Test
  void partialSuccessIsReported() {
    collector.behaviour =
        exchange ->
            HttpCollector.answer(
                exchange,
                200,
                ExportProfilesServiceResponse.newBuilder()
                    .setPartialSuccess(
                        ExportProfilesPartialSuccess.newBuilder()
                            .setRejectedProfiles(2)
                            .setErrorMessage("unknown\nunit"))
                    .build()
                    .toByteArray());
    try (OtlpSender sender = sender()) {
      assertThat(sender.send(Messages.numbered(1)))
          .isEqualTo(new SendResult.Delivered(2, "unknown unit"));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 502, 503, 504})
  void aStatusThatPassesIsForLater(int status) {
    collector.behaviour =
        exchange -> {
          exchange.getResponseHeaders().set("Retry-After", "7");
          HttpCollector.answer(exchange, status, new byte[0]);
        };
    try (OtlpSender sender = sender()) {
      assertThat(sender.send(Messages.numbered(1)))
          .isEqualTo(
              new SendResult.Retry("HTTP status " + status, Optional.of(Duration.ofSeconds(7))));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 400, 401, 404, 413, 500, 501})
  void anyOtherStatusIsForGoodAndSaysWhy(int status) {
    collector.behaviour =
        exchange ->
            HttpCollector.answer(
                exchange,
                status,
                Status.newBuilder()
                    .setCode(Code.INVALID_ARGUMENT_VALUE)
                    .setMessage("no such stack")
                    .build()
                    .toByteArray());
    try (OtlpSender sender = sender()) {
      assertThat(sender.send(Messages.numbered(1)))
          .isEqualTo(new SendResult.Rejected("HTTP status " + status + ": no such stack"));
    }
  }

  @Test
  void whatAProxySaysIsQuotedInOneShortLine() {
    collector.behaviour =
        exchange -> {
          exchange.getResponseHeaders().set("Content-Type", "text/html");
          byte[] page =
              ("<html>\r\n\u001b[31m" + "x".repeat(200_000)).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(403, page.length);
          exchange.getResponseBody().write(page);
        };
    try (OtlpSender sender = sender()) {
      assertThat(sender.send(Messages.numbered(1)))
          .isInstanceOfSatisfying(
              SendResult.Rejected.class,
              rejected ->
                  assertThat(rejected.reason())
                      .startsWith("HTTP status 403: <html> [31mxxx")
                      .hasSizeLessThan(400));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {202, 204})
  void aYesOfAnotherKindIsAYes(int status) {
    collector.behaviour = exchange -> HttpCollector.answer(exchange, status, new byte[0]);
    try (OtlpSender sender = sender()) {
      assertThat(sender.send(Messages.numbered(1))).isEqualTo(TAKEN);
    }
  }

  @Test
  void anAnswerThatIsNotOtlpIsStillAYes() {
    collector.behaviour =
        exchange -> HttpCollector.answer(exchange, 200, new byte[] {(byte) 0xFF, 1, 2});
    try (OtlpSender sender = sender()) {
      assertThat(sender.send(Messages.numbered(1)))
          .isInstanceOfSatisfying(
              SendResult.Delivered.class,
              delivered -> assertThat(delivered.message()).startsWith("the answer is not OTLP"));
    }
  }

  @Test
  void retryAfterIsANumberOfSecondsOrADate() {
    assertThat(HttpSender.retryAfter("120")).contains(Duration.ofMinutes(2));
    assertThat(HttpSender.retryAfter("soon")).isEmpty();
    assertThat(HttpSender.retryAfter("99999999999999999999")).isEmpty();
    assertThat(HttpSender.retryAfter("Wed, 21 Oct 2015 07:28:00 GMT")).contains(Duration.ZERO);
    String inAnHour =
        DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC).plusHours(1));
    assertThat(HttpSender.retryAfter(inAnHour))
        .hasValueSatisfying(
            wait -> assertThat(wait).isBetween(Duration.ofMinutes(59), Duration.ofMinutes(60)));
  }

  @Test
  void aCollectorThatIsAwayIsForLater() {
    try (OtlpSender sender = sender()) {
      collector.close();
      assertThat(sender.send(Messages.numbered(1)))
          .isEqualTo(new SendResult.Retry("Connection refused", Optional.empty()));
    }
  }

  @Test
  void aNameThatNobodyKnowsIsForLater() {
    ExportSettings settings =
        settings().property("sennit.otlp.endpoint", "http://no.such.host.invalid:4318").read();
    try (OtlpSender sender = OtlpSender.create(settings)) {
      assertThat(sender.send(Messages.numbered(1))).isInstanceOf(SendResult.Retry.class);
    }
  }

  @Test
  void aCollectorThatDoesNotAnswerInTimeMayHaveTheMessage() {
    CountDownLatch end = new CountDownLatch(1);
    collector.behaviour =
        exchange -> {
          try {
            end.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    ExportSettings settings = settings().property("sennit.otlp.timeout", "500").read();
    try (OtlpSender sender = OtlpSender.create(settings)) {
      assertThat(sender.send(Messages.numbered(1)))
          .isEqualTo(new SendResult.Unknown("no answer within 500 ms"));
      collector.behaviour = HttpCollector.TAKE;
      assertThat(sender.send(Messages.numbered(2))).isEqualTo(TAKEN);
    }
    end.countDown();
  }

  @Test
  void tlsTrustsTheCertificateThatWasNamedAndNoOther(@TempDir Path folder) {
    TestCertificates certificates = new TestCertificates(folder);
    try (HttpCollector secure = HttpCollector.startSecure(certificates)) {
      TestSettings settings =
          settings().property("sennit.otlp.endpoint", "https://localhost:" + secure.port());
      try (OtlpSender sender = OtlpSender.create(settings.read())) {
        assertThat(sender.send(Messages.numbered(1)))
            .isInstanceOfSatisfying(
                SendResult.Retry.class,
                retry -> assertThat(retry.reason()).contains("certification path"));
      }
      settings.environment("OTEL_EXPORTER_OTLP_CERTIFICATE", certificates.server().toString());
      try (OtlpSender sender = OtlpSender.create(settings.read())) {
        assertThat(sender.send(Messages.numbered(2, 200_000))).isEqualTo(TAKEN);
        assertThat(sender.send(Messages.numbered(3))).isEqualTo(TAKEN);
      }
      assertThat(secure.received()).containsExactly(2, 3);
      assertThat(secure.connections).hasSize(1);
    }
  }

  @Test
  void aCertificateOfAnotherNameIsRefused(@TempDir Path folder) {
    TestCertificates certificates = new TestCertificates(folder, "collector.example");
    try (HttpCollector secure = HttpCollector.startSecure(certificates)) {
      ExportSettings settings =
          settings()
              .property("sennit.otlp.endpoint", "https://localhost:" + secure.port())
              .property("sennit.otlp.certificate", certificates.server())
              .read();
      try (OtlpSender sender = OtlpSender.create(settings)) {
        assertThat(sender.send(Messages.numbered(1)))
            .isInstanceOfSatisfying(
                SendResult.Retry.class, retry -> assertThat(retry.reason()).contains("localhost"));
      }
      assertThat(secure.received()).isEmpty();
    }
  }

  @Test
  void aSenderThatIsClosedSendsNothing() {
    OtlpSender sender = sender();
    sender.close();
    assertThat(sender.send(Messages.numbered(1)))
        .isEqualTo(new SendResult.Retry("closed", Optional.empty()));
    assertThat(collector.received()).isEmpty();
  }
}
