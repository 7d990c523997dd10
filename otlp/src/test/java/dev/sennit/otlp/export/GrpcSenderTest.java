/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.rpc.Code;
import com.google.rpc.RetryInfo;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesPartialSuccess;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** OTLP/gRPC against grpc-java's server and OpenTelemetry's stub. */
class GrpcSenderTest {
  private static final SendResult TAKEN = new SendResult.Delivered(0, "");

  private final GrpcCollector collector = GrpcCollector.start();

  @AfterEach
  void stop() {
    collector.close();
  }

  private static TestSettings settings(int port) {
    return new TestSettings()
        .property("sennit.otlp.protocol", "grpc")
        .property("sennit.otlp.endpoint", "http://localhost:" + port);
  }

  private OtlpSender sender() {
    return OtlpSender.create(settings(collector.port()).read());
  }

  @Test
  void messagesArriveInOrderOverOneConnection() {
    try (OtlpSender sender = sender()) {
      for (int i = 0; i < 20; i++) {
        assertThat(sender.send(Messages.numbered(i))).isEqualTo(TAKEN);
      }
    }
    assertThat(collector.received())
        .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19);
  }

  @Test
  void aLargeMessagePassesFlowControl() {
    try (OtlpSender sender = sender()) {
      assertThat(sender.send(Messages.numbered(1, 20_000_000))).isEqualTo(TAKEN);
    }
    assertThat(collector.received()).containsExactly(1);
  }

  @Test
  void aConnectionThatWasGivenUpIsMadeAnew() {
    try (OtlpSender sender = sender()) {
      sender.disconnect();
      assertThat(sender.send(Messages.numbered(1))).isEqualTo(TAKEN);
      sender.disconnect();
      assertThat(sender.send(Messages.numbered(2))).isEqualTo(TAKEN);
    }
    assertThat(collector.received()).containsExactly(1, 2);
  }

  @Test
  void gzipAndHeadersGoWithTheCall() {
    ExportSettings settings =
        settings(collector.port())
            .property("sennit.otlp.compression", "gzip")
            .property("sennit.otlp.headers", "X-Tenant=blue%20team")
            .read();
    try (OtlpSender sender = OtlpSender.create(settings)) {
      assertThat(sender.send(Messages.numbered(1, 100_000))).isEqualTo(TAKEN);
    }
    assertThat(collector.received()).containsExactly(1);
    assertThat(collector.header("grpc-encoding")).isEqualTo("gzip");
    assertThat(collector.header("x-tenant")).isEqualTo("blue team");
    assertThat(collector.header("user-agent")).startsWith("Sennit-OTLP-Exporter-Java");
    assertThat(collector.header("content-type")).isEqualTo("application/grpc");
  }

  @Test
  void partialSuccessIsReported() {
    collector.behaviour =
        request ->
            ExportProfilesServiceResponse.newBuilder()
                .setPartialSuccess(
                    ExportProfilesPartialSuccess.newBuilder()
                        .setRejectedProfiles(3)
                        .setErrorMessage("too old"))
                .build();
    try (OtlpSender sender = sender()) {
      assertThat(sender.send(Messages.numbered(1)))
          .isEqualTo(new SendResult.Delivered(3, "too old"));
    }
  }

  /** The table "Failures" of the OTLP specification. */
  @ParameterizedTest
  @EnumSource(value = Status.Code.class, mode = EnumSource.Mode.EXCLUDE, names = "OK")
  void aStatusMeansWhatTheSpecificationSays(Status.Code code) {
    collector.behaviour =
        request -> {
          throw code.toStatus().withDescription("Grüße, 100 %").asRuntimeException();
        };
    String reason = "gRPC status " + code + ": Grüße, 100 %";
    SendResult expected =
        switch (code) {
          case CANCELLED, DEADLINE_EXCEEDED, ABORTED, OUT_OF_RANGE, UNAVAILABLE, DATA_LOSS ->
              new SendResult.Retry(reason, Optional.empty());
          default -> new SendResult.Rejected(reason);
        };
    try (OtlpSender sender = sender()) {
      assertThat(sender.send(Messages.numbered(1))).isEqualTo(expected);
    }
  }

  @Test
  void anExhaustedCollectorThatNamesADelayIsTriedAgainThen() {
    collector.behaviour =
        request -> {
          throw StatusProto.toStatusRuntimeException(
              com.google.rpc.Status.newBuilder()
                  .setCode(Code.RESOURCE_EXHAUSTED_VALUE)
                  .setMessage("slow down")
                  .addDetails(
                      Any.pack(
                          RetryInfo.newBuilder()
                              .setRetryDelay(
                                  com.google.protobuf.Duration.newBuilder()
                                      .setSeconds(2)
                                      .setNanos(500_000_000))
                              .build()))
                  .build());
        };
    try (OtlpSender sender = sender()) {
      assertThat(sender.send(Messages.numbered(1)))
          .isEqualTo(
              new SendResult.Retry(
                  "gRPC status RESOURCE_EXHAUSTED: slow down",
                  Optional.of(Duration.ofMillis(2500))));
    }
  }

  @Test
  void aMessageThatIsTooLargeForTheCollectorIsRefusedForGood() {
    try (GrpcCollector strict = GrpcCollector.startStrict(4 << 20);
        OtlpSender sender = OtlpSender.create(settings(strict.port()).read())) {
      assertThat(sender.send(Messages.numbered(1, 20_000_000)))
          .isInstanceOfSatisfying(
              SendResult.Rejected.class,
              rejected ->
                  assertThat(rejected.reason())
                      .startsWith("gRPC status RESOURCE_EXHAUSTED: ")
                      .contains("4194304"));
      assertThat(sender.send(Messages.numbered(2))).isEqualTo(TAKEN);
    }
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
  void aCollectorThatDoesNotAnswerInTimeMayHaveTheMessage() {
    CountDownLatch never = new CountDownLatch(1);
    collector.behaviour =
        request -> {
          never.await();
          return GrpcCollector.TAKE.answer(request);
        };
    ExportSettings settings =
        settings(collector.port()).property("sennit.otlp.timeout", "500ms").read();
    try (OtlpSender sender = OtlpSender.create(settings)) {
      // Who gives up first, we or the server that we told how long we wait, is the same to us.
      assertThat(sender.send(Messages.numbered(1))).isInstanceOf(SendResult.Unknown.class);
      collector.behaviour = GrpcCollector.TAKE;
      assertThat(sender.send(Messages.numbered(2))).isEqualTo(TAKEN);
    }
  }

  @Test
  void tlsWithCertificatesOfBothSides(@TempDir Path folder) {
    TestCertificates certificates = new TestCertificates(folder);
    try (GrpcCollector secure = GrpcCollector.startSecure(certificates)) {
      TestSettings known =
          settings(secure.port())
              .property("sennit.otlp.endpoint", "https://localhost:" + secure.port())
              .property("sennit.otlp.certificate", certificates.server());
      try (OtlpSender sender = OtlpSender.create(known.read())) {
        assertThat(sender.send(Messages.numbered(1))).isInstanceOf(SendResult.Retry.class);
      }
      known
          .property("sennit.otlp.client.key", certificates.clientKey())
          .property("sennit.otlp.client.certificate", certificates.client());
      try (OtlpSender sender = OtlpSender.create(known.read())) {
        assertThat(sender.send(Messages.numbered(2))).isEqualTo(TAKEN);
      }
      assertThat(secure.received()).containsExactly(2);
    }
  }
}
