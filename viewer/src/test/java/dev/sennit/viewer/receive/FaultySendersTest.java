/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sennit.intake.Answer;
import dev.sennit.otlp.export.Signal;
import dev.sennit.viewer.http.Gzip;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever senders do, the next one is served. */
final class FaultySendersTest {
  private static final int LIMIT = 1 << 20;
  private static final String HEAD = "POST /v1/traces HTTP/1.1\r\nHost: localhost\r\n";
  private static final String TYPE = "Content-Type: application/x-protobuf\r\n";

  private final KeptSink sink = new KeptSink();
  private final HttpClient client = HttpClient.newHttpClient();
  private OtlpReceiver receiver;

  @BeforeEach
  void start() throws IOException {
    restart(
        new ReceiverLimits(
            LIMIT, 2 * LIMIT, 1_000, 8, Duration.ofSeconds(1), Duration.ofSeconds(1)));
  }

  private void restart(ReceiverLimits limits) throws IOException {
    if (receiver != null) {
      receiver.close();
    }
    receiver = OtlpReceiver.start(ReceiverSettings.onLoopback(0, 0).with(limits), sink);
  }

  @AfterEach
  void theNextOneIsServed() throws Exception {
    sink.answer = request -> Answer.TAKEN;
    assertThat(post(Requests.spans(1).toByteArray()).statusCode()).isEqualTo(200);
    receiver.close();
    client.close();
  }

  @Test
  void gzipThatIsCutOffIsMalformed() throws Exception {
    byte[] gzip = Gzip.compressed(Requests.spans(100).toByteArray());

    assertThat(post(Arrays.copyOf(gzip, gzip.length / 2), "Content-Encoding", "gzip").statusCode())
        .isEqualTo(400);
    assertThat(post(new byte[] {1, 2, 3}, "Content-Encoding", "gzip").statusCode()).isEqualTo(400);
    assertThat(receiver.counters(Signal.TRACES).malformed()).isEqualTo(2);
  }

  @Test
  void tenGigabytesOfZerosStopAtTheLimit() throws Exception {
    restart(ReceiverLimits.usual().withRequestBytes(16 << 20));
    byte[] part = Gzip.compressed(new byte[100 << 20]);
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    for (int i = 0; i < 100; i++) {
      bomb.write(part);
    }

    HttpResponse<byte[]> response = post(bomb.toByteArray(), "Content-Encoding", "gzip");

    assertThat(response.statusCode()).isEqualTo(413);
    assertThat(receiver.counters(Signal.TRACES).bytes())
        .as("what was read of it")
        .isLessThan(bomb.size() / 100);
    assertThat(sink.kept()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "P",
        "PRI * HTTP/2.0\r\n",
        "POST /v1/tr",
        HEAD + "X-Slow: ",
        HEAD + TYPE + "Content-Length: 1000\r\n\r\nabc",
        HEAD + TYPE + "Transfer-Encoding: chunked\r\n\r\n5\r\nab",
        "POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nabc",
      })
  void whoStopsInTheMiddleIsCutOff(String beginning) throws Exception {
    try (RawClient silent = new RawClient(receiver.httpAddress())) {
      silent.send(beginning).awaitEnd();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /",
        HEAD + "X-Slow: ",
        HEAD + TYPE + "Content-Length: 1000000\r\n\r\nabc",
        "POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nabc",
      })
  void whoSendsByteByByteIsCutOff(String beginning) throws Exception {
    try (RawClient slow = new RawClient(receiver.httpAddress())) {
      slow.send(beginning).trickleUntilEnd('x');
    }
  }

  @Test
  void moreSilentConnectionsThanThereMayBeKeepNobodyOut() throws Exception {
    List<RawClient> silent = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      silent.add(new RawClient(receiver.httpAddress()));
    }

    assertThat(post(Requests.spans(1).toByteArray()).statusCode()).isEqualTo(200);

    for (RawClient connection : silent) {
      connection.close();
    }
  }

  @Test
  void whoEndsItsOutputAfterTheRequestIsAnswered() throws Exception {
    byte[] body = Requests.spans(1).toByteArray();
    try (RawClient halfClosed = new RawClient(receiver.httpAddress())) {
      halfClosed.send(HEAD + TYPE + "Content-Length: " + body.length + "\r\n\r\n").send(body);
      halfClosed.endOutput();

      assertThat(halfClosed.firstLine()).isEqualTo("HTTP/1.1 200 OK");
    }
    assertThat(sink.kept()).containsExactly(Requests.spans(1));
  }

  @Test
  void whoEndsItsOutputInTheMiddleIsNotTaken() throws Exception {
    byte[] body = Requests.spans(2).toByteArray();
    try (RawClient halfClosed = new RawClient(receiver.httpAddress())) {
      halfClosed.send(HEAD + TYPE + "Content-Length: " + (body.length + 1) + "\r\n\r\n").send(body);
      halfClosed.endOutput();
      halfClosed.awaitEnd();
    }
    assertThat(sink.kept()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonsense\r\n\r\n",
        "POST /v1/traces HTTP/1.1\r\n\r\n",
        "POST /v1/traces HTTP/9.9\r\nHost: localhost\r\n\r\n",
        "POST /v1/traces\0 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        HEAD + TYPE + "Content-Length: -1\r\n\r\n",
        HEAD + TYPE + "Content-Length: 99999999999999999999\r\n\r\n",
        HEAD + TYPE + "Content-Length: 1073741824\r\n\r\n",
        HEAD + TYPE + "Transfer-Encoding: chunked\r\n\r\n7fffffff\r\n",
        HEAD + TYPE + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n",
        HEAD + TYPE + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nnot a frame, not even a little one\r\n",
      })
  void whatIsNoHttpIsRefusedAndItsConnectionEnded(String bytes) throws Exception {
    try (RawClient wrong = new RawClient(receiver.httpAddress())) {
      String answer = wrong.send(bytes).firstLine();
      wrong.awaitEnd();

      assertThat(answer).doesNotContain(" 200 ");
    }
    assertThat(sink.kept()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"evil.example", "evil.example:4318", "localhost.evil.example", "10.0.0.1"})
  void anotherNameForThisHostIsNotAnswered(String host) throws Exception {
    try (RawClient rebound = new RawClient(receiver.httpAddress())) {
      rebound.send("POST /v1/traces HTTP/1.1\r\nHost: " + host + "\r\n" + TYPE);

      assertThat(rebound.send("Content-Length: 0\r\n\r\n").firstLine())
          .isEqualTo("HTTP/1.1 403 Forbidden");
    }
    assertThat(sink.kept()).isEmpty();
  }

  @Test
  void requestsThatTogetherHoldTooMuchAreToComeLater() throws Exception {
    CountDownLatch inside = new CountDownLatch(2);
    CountDownLatch release = new CountDownLatch(1);
    holdRequests(inside, release);
    byte[] large = GrpcExportTest.zeros(LIMIT * 9 / 10).toByteArray();
    List<CompletableFuture<HttpResponse<byte[]>>> running =
        Stream.generate(() -> client.sendAsync(request(large).build(), BodyHandlers.ofByteArray()))
            .limit(2)
            .toList();
    await(inside);

    HttpResponse<byte[]> third = post(large);
    release.countDown();

    assertThat(third.statusCode()).isEqualTo(429);
    assertThat(third.headers().firstValue("retry-after")).hasValue("1");
    assertThat(running).allSatisfy(each -> assertThat(each.join().statusCode()).isEqualTo(200));
    assertThat(post(large).statusCode()).isEqualTo(200);
  }

  @Test
  void requestsThatComeTooOftenAreToComeLater() throws Exception {
    restart(ReceiverLimits.usual().withRequestsPerSecond(5));
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      statuses.add(post(Requests.spans(1).toByteArray()).statusCode());
    }

    assertThat(statuses).contains(200, 429).containsOnly(200, 429);
    restart(ReceiverLimits.usual());
  }

  @Test
  void whatIsBeingTakenIsAnsweredBeforeTheEnd() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    holdRequests(inside, release);
    CompletableFuture<HttpResponse<byte[]>> running =
        client.sendAsync(
            request(Requests.spans(1).toByteArray()).build(), BodyHandlers.ofByteArray());
    await(inside);
    Thread closing = Thread.ofVirtual().start(receiver::close);
    while (isListening()) {
      Thread.onSpinWait();
    }
    release.countDown();

    assertThat(running.join().statusCode()).isEqualTo(200);
    closing.join();
    start();
  }

  @Test
  void aPortThatIsTakenIsNamed() {
    int port = receiver.httpAddress().getPort();

    assertThatThrownBy(() -> OtlpReceiver.start(ReceiverSettings.onLoopback(0, port), sink))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("OTLP over gRPC cannot listen on")
        .hasMessageContaining(":" + port)
        .hasMessageContaining("in use");
  }

  private void holdRequests(CountDownLatch inside, CountDownLatch release) {
    sink.answer =
        request -> {
          inside.countDown();
          await(release);
          return Answer.TAKEN;
        };
  }

  private boolean isListening() {
    try (RawClient _ = new RawClient(receiver.httpAddress())) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  private HttpResponse<byte[]> post(byte[] body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = request(body);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofByteArray());
  }

  private HttpRequest.Builder request(byte[] body) {
    return HttpRequest.newBuilder(
            URI.create("http://localhost:" + receiver.httpAddress().getPort() + "/v1/traces"))
        .version(HttpClient.Version.HTTP_1_1)
        .header("Content-Type", "application/x-protobuf")
        .POST(HttpRequest.BodyPublishers.ofByteArray(body));
  }
}
