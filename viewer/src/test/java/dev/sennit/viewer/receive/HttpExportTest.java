/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import com.google.rpc.RetryInfo;
import dev.sennit.intake.Answer;
import dev.sennit.intake.Encoding;
import dev.sennit.otlp.export.Signal;
import dev.sennit.viewer.http.Gzip;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceResponse;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceResponse;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HttpExportTest {
  private static final String PROTOBUF = "application/x-protobuf";

  private final KeptSink sink = new KeptSink();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private OtlpReceiver receiver;

  @BeforeEach
  void start() throws Exception {
    ReceiverSettings settings = ReceiverSettings.onLoopback(0, 0);
    receiver = OtlpReceiver.start(settings.with(settings.limits().withRequestBytes(1 << 20)), sink);
  }

  @AfterEach
  void stop() {
    receiver.close();
    client.close();
  }

  @ParameterizedTest
  @EnumSource
  void everySignalArrivesOnceAndEqual(Encoding encoding) throws Exception {
    String type = type(encoding);
    for (Message request : List.of(Requests.spans(3), Requests.lines(2), Requests.profiles())) {
      HttpResponse<byte[]> response =
          post(path(request), type, encoding.write(request), "Accept", "*/*");

      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.headers().firstValue("content-type")).hasValue(type);
      assertThat(response.body())
          .as("nothing was rejected, so nothing is said of it")
          .isEqualTo(encoding.write(ExportTraceServiceResponse.getDefaultInstance()));
    }
    assertThat(sink.kept())
        .containsExactly(Requests.spans(3), Requests.lines(2), Requests.profiles());
    assertThat(receiver.counters(Signal.TRACES).accepted()).isEqualTo(3);
    assertThat(receiver.counters(Signal.LOGS).accepted()).isEqualTo(2);
    assertThat(receiver.counters(Signal.PROFILES).accepted()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void compressedRequestsArriveAndTheirBytesCountAsTheyCame(Encoding encoding) throws Exception {
    byte[] compressed = Gzip.compressed(encoding.write(Requests.spans(500)));

    assertThat(
            post(
                    "/v1/traces",
                    type(encoding) + "; charset=utf-8",
                    compressed,
                    "Content-Encoding",
                    "gzip")
                .statusCode())
        .isEqualTo(200);

    assertThat(sink.kept()).containsExactly(Requests.spans(500));
    assertThat(receiver.counters(Signal.TRACES))
        .isEqualTo(new SignalCounters(1, 500, 0, 0, 0, compressed.length));
  }

  @Test
  void anEmptyRequestIsTaken() throws Exception {
    assertThat(post("/v1/traces", PROTOBUF, new byte[0]).statusCode()).isEqualTo(200);
    assertThat(post("/v1/logs", "application/json", "{}".getBytes(UTF_8)).body())
        .asString(UTF_8)
        .isEqualTo("{}");
  }

  @Test
  void whatWasRejectedIsToldWithItsReason() throws Exception {
    sink.answer = request -> new Answer.TakenInPart(2, "no name");

    assertThat(
            ExportTraceServiceResponse.parseFrom(
                    post("/v1/traces", PROTOBUF, Requests.spans(3).toByteArray()).body())
                .getPartialSuccess())
        .satisfies(partial -> assertThat(partial.getRejectedSpans()).isEqualTo(2))
        .satisfies(partial -> assertThat(partial.getErrorMessage()).isEqualTo("no name"));
    assertThat(
            ExportLogsServiceResponse.parseFrom(
                    post("/v1/logs", PROTOBUF, Requests.lines(3).toByteArray()).body())
                .getPartialSuccess()
                .getRejectedLogRecords())
        .isEqualTo(2);
    assertThat(
            ExportProfilesServiceResponse.parseFrom(
                    post("/v1development/profiles", PROTOBUF, Requests.profiles().toByteArray())
                        .body())
                .getPartialSuccess()
                .getRejectedProfiles())
        .isEqualTo(2);
    assertThat(post("/v1/traces", "application/json", "{}".getBytes(UTF_8)).body())
        .asString(UTF_8)
        .isEqualTo("{\"partialSuccess\":{\"rejectedSpans\":\"2\",\"errorMessage\":\"no name\"}}");
    assertThat(receiver.counters(Signal.TRACES).rejected()).isEqualTo(4);
  }

  @Test
  void metricsAreAnsweredAndNotKept() throws Exception {
    byte[] some = post("/v1/metrics", PROTOBUF, Requests.metrics(7).toByteArray()).body();
    byte[] none = post("/v1/metrics", PROTOBUF, Requests.metrics(0).toByteArray()).body();

    var partial = ExportMetricsServiceResponse.parseFrom(some).getPartialSuccess();
    assertThat(partial.getRejectedDataPoints()).isEqualTo(7);
    assertThat(partial.getErrorMessage()).isEqualTo("metrics are not stored");
    assertThat(ExportMetricsServiceResponse.parseFrom(none).hasPartialSuccess()).isFalse();
    assertThat(sink.kept()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aSinkWithoutRoomAsksToSendAgain(Encoding encoding) throws Exception {
    sink.answer = request -> new Answer.Later(Duration.ofMillis(2500), "the disk is full");

    HttpResponse<byte[]> response =
        post("/v1/traces", type(encoding), encoding.write(Requests.spans(1)));

    assertThat(response.statusCode()).isEqualTo(429);
    assertThat(response.headers().firstValue("retry-after")).hasValue("3");
    com.google.rpc.Status status = status(encoding, response.body());
    assertThat(status.getMessage()).isEqualTo("the disk is full");
    assertThat(status.getDetails(0).unpack(RetryInfo.class).getRetryDelay())
        .isEqualTo(
            com.google.protobuf.Duration.newBuilder().setSeconds(2).setNanos(500_000_000).build());
  }

  @ParameterizedTest
  @EnumSource
  void whatCannotBeReadIsNamedInTheEncodingOfTheRequest(Encoding encoding) throws Exception {
    byte[] bytes = encoding.write(Requests.spans(3));

    HttpResponse<byte[]> response =
        post("/v1/traces", type(encoding), Arrays.copyOf(bytes, bytes.length - 1));

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(status(encoding, response.body()).getCode()).isEqualTo(3);
    assertThat(status(encoding, response.body()).getMessage()).isNotEmpty();
    assertThat(receiver.counters(Signal.TRACES).malformed()).isEqualTo(1);
    assertThat(sink.kept()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /v1/traces, text/plain, 415",
    "POST, /v1/traces, application/x-protobuffer, 415",
    "POST, /v1/traces, application/grpc, 415",
    "GET, /v1/traces, application/json, 405",
    "PUT, /v1/logs, application/json, 405",
    "OPTIONS, /v1/logs, application/json, 405",
    "POST, /v1/trace, application/json, 404",
    "POST, /, application/json, 404",
    "POST, /opentelemetry.proto.collector.trace.v1.TraceService/Export, application/grpc, 415",
  })
  void whatIsAskedWronglyHasAStatusOfItsOwn(String method, String path, String type, int status)
      throws Exception {
    HttpResponse<byte[]> response =
        client.send(
            HttpRequest.newBuilder(uri(path))
                .method(method, HttpRequest.BodyPublishers.ofString("{}"))
                .header("Content-Type", type)
                .build(),
            BodyHandlers.ofByteArray());

    assertThat(response.statusCode()).isEqualTo(status);
    if (status == 405) {
      assertThat(response.headers().firstValue("allow")).hasValue("POST");
    }
    assertThat(sink.kept()).isEmpty();
  }

  @Test
  void otherCompressionIsNotRead() throws Exception {
    assertThat(post("/v1/traces", PROTOBUF, new byte[] {1}, "Content-Encoding", "br").statusCode())
        .isEqualTo(415);
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://evil.example", "null", "http://localhost:3000"})
  void pagesOfBrowsersMayNotWrite(String origin) throws Exception {
    // The JDK's client says no Origin of its own.
    assertThat(
            post("/v1/traces", PROTOBUF, Requests.spans(1).toByteArray(), "Origin", origin)
                .statusCode())
        .isEqualTo(403);
    assertThat(sink.kept()).isEmpty();
  }

  @Test
  void aSinkThatFailsHarmsNothing() throws Exception {
    sink.answer =
        request -> {
          throw new IllegalStateException("secret");
        };
    HttpResponse<byte[]> failed = post("/v1/traces", PROTOBUF, Requests.spans(1).toByteArray());
    sink.answer = request -> Answer.TAKEN;

    assertThat(failed.statusCode()).isEqualTo(500);
    assertThat(failed.body()).asString(UTF_8).doesNotContain("secret");
    assertThat(post("/v1/traces", PROTOBUF, Requests.spans(1).toByteArray()).statusCode())
        .isEqualTo(200);
    assertThat(receiver.counters(Signal.TRACES).refused()).isEqualTo(1);
  }

  @Test
  void aLongAnswerIsCompressedForWhoAcceptsIt() throws Exception {
    sink.answer = request -> new Answer.TakenInPart(1, "no room ".repeat(200));
    byte[] request = Requests.spans(1).toByteArray();

    HttpResponse<byte[]> compressed =
        post("/v1/traces", PROTOBUF, request, "Accept-Encoding", "br, gzip;q=0.5");
    HttpResponse<byte[]> plain =
        post("/v1/traces", PROTOBUF, request, "Accept-Encoding", "gzip;q=0");

    assertThat(compressed.headers().firstValue("content-encoding")).hasValue("gzip");
    assertThat(compressed.body().length).isLessThan(plain.body().length / 10);
    assertThat(plain.headers().firstValue("content-encoding")).isEmpty();
  }

  @Test
  void theOtherAddressTakesHttpAsWell() throws Exception {
    HttpResponse<byte[]> response =
        client.send(
            HttpRequest.newBuilder(
                    URI.create(
                        "http://127.0.0.1:" + receiver.grpcAddress().getPort() + "/v1/traces"))
                .header("Content-Type", PROTOBUF)
                .POST(HttpRequest.BodyPublishers.ofByteArray(Requests.spans(1).toByteArray()))
                .build(),
            BodyHandlers.ofByteArray());

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(sink.kept(ExportTraceServiceRequest.class)).hasSize(1);
  }

  private HttpResponse<byte[]> post(String path, String type, byte[] body, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path))
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofByteArray());
  }

  private URI uri(String path) {
    return URI.create("http://localhost:" + receiver.httpAddress().getPort() + path);
  }

  private static String path(Message request) {
    return switch (request.getDescriptorForType().getName()) {
      case "ExportTraceServiceRequest" -> "/v1/traces";
      case "ExportLogsServiceRequest" -> "/v1/logs";
      default -> "/v1development/profiles";
    };
  }

  private static String type(Encoding encoding) {
    return encoding == Encoding.JSON ? "application/json" : PROTOBUF;
  }

  /** Read by somebody else's classes. */
  private static com.google.rpc.Status status(Encoding encoding, byte[] body) throws Exception {
    if (encoding == Encoding.PROTOBUF) {
      return com.google.rpc.Status.parseFrom(body);
    }
    com.google.rpc.Status.Builder status = com.google.rpc.Status.newBuilder();
    com.google.protobuf.util.JsonFormat.parser()
        .usingTypeRegistry(
            com.google.protobuf.TypeRegistry.newBuilder().add(RetryInfo.getDescriptor()).build())
        .merge(new String(body, UTF_8), status);
    return status.build();
  }
}
