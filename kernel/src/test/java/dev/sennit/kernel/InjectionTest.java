/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.kernel.ring.Outcome;
import dev.sennit.testing.CProgram;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What arrives is what was sent, with one traceparent where one is promised and no other change
 * anywhere, whatever calls the bytes are sent with.
 */
@Requires(root = true, commands = "gcc")
final class InjectionTest {
  private static final Pattern HEADER =
      Pattern.compile("traceparent: 00-[0-9a-f]{32}-[0-9a-f]{16}-01\r\n");
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
  private static final String PLAIN = request("GET /plain HTTP/1.1", "");

  private static Path program;
  private static Observation observation;
  private ChildProcess sender;
  private Receiver receiver;

  @BeforeAll
  static void observe(@TempDir Path folder) {
    program = CProgram.compile(InjectionTest.class, "sender.c", folder);
    observation = Observation.start(new TracerSettings.Builder().startTraces(true).build());
  }

  @AfterAll
  static void end() throws IOException {
    observation.close();
  }

  @BeforeEach
  void start() {
    receiver = new Receiver();
    sender = observation.run(List.of(program.toString()));
  }

  @AfterEach
  void stop() {
    sender.close();
    receiver.close();
  }

  @Test
  void aRequestInOneSendHasItsHeaderAfterTheRequestLine() throws InterruptedException {
    String received = sent("send " + hex(PLAIN));

    assertThat(without(received)).isEqualTo(PLAIN);
    assertThat(received).startsWith("GET /plain HTTP/1.1\r\ntraceparent: 00-");
  }

  /** In two, the second would wait for the acknowledgement of the first, and that for 40 ms. */
  @Test
  void aRequestThatWasOneSegmentStaysOne() throws InterruptedException {
    int requests = 100;
    receiver.answer(OK);
    command("nodelay 0");
    command("connect " + receiver.port());
    for (int i = 0; i < requests; i++) {
      command("send " + hex(PLAIN));
      command("receive " + OK.length());
    }
    command("close");
    String received = text(receiver.next());

    assertThat(HEADER.matcher(received).results().count()).isEqualTo(requests);
    assertThat(receiver.reads()).isEqualTo(requests);
  }

  @Test
  void aRequestInTwoSendsCutAnywhereHasOneHeader() throws InterruptedException {
    String request = request("GET /cut HTTP/1.1", "X-Filler: " + "f".repeat(230) + "\r\n");
    int blankLineIsGone = request.length() - 1;
    for (int cut = 1; cut < request.length(); cut++) {
      String received =
          sent("send " + hex(request.substring(0, cut)), "send " + hex(request.substring(cut)));

      if (cut == blankLineIsGone) {
        assertThat(received).as("cut at %d", cut).isEqualTo(request);
      } else {
        assertThat(without(received)).as("cut at %d", cut).isEqualTo(request);
      }
    }
  }

  @Test
  void aRequestThatComesByteByByteIsLeftAlone() throws InterruptedException {
    assertThat(sent("each " + hex(PLAIN))).isEqualTo(PLAIN);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 7, 20})
  void aRequestInManyPiecesOfOneCallHasOneHeader(int parts) throws InterruptedException {
    assertThat(without(sent("vector " + parts + " " + hex(PLAIN)))).isEqualTo(PLAIN);
  }

  @Test
  void aRequestByAnyOtherCallHasOneHeader() throws InterruptedException {
    assertThat(without(sent("sendmsg " + hex(PLAIN)))).isEqualTo(PLAIN);
  }

  @Test
  void ofTwoRequestsInOneSendTheSecondIsLeftAlone() throws InterruptedException {
    String second = request("GET /second HTTP/1.1", "");
    String received = sent("send " + hex(PLAIN + second));

    assertThat(without(received)).isEqualTo(PLAIN + second);
    assertThat(received).startsWith("GET /plain HTTP/1.1\r\ntraceparent: 00-");
    assertThat(observation.count(Outcome.SKIPPED_PIPELINED)).isPositive();
  }

  @Test
  void everyRequestOfAKeptConnectionHasAHeaderOfItsOwn() throws InterruptedException {
    receiver.answer(OK);
    command("connect " + receiver.port());
    for (int i = 0; i < 1000; i++) {
      command("send " + hex(request("GET /kept/" + i + " HTTP/1.1", "")));
      command("receive " + OK.length());
    }
    command("close");
    String received = text(receiver.next());

    List<String> headers =
        HEADER.matcher(received).results().map(result -> result.group()).toList();
    assertThat(headers).hasSize(1000).doesNotHaveDuplicates();
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < 1000; i++) {
      expected.append(request("GET /kept/" + i + " HTTP/1.1", ""));
    }
    assertThat(HEADER.matcher(received).replaceAll("")).isEqualTo(expected.toString());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 12, 15})
  void longHeadersAreSearchedToTheEnd(int kibibytes) throws InterruptedException {
    String request = request("GET /long HTTP/1.1", headers(kibibytes * 1024));

    assertThat(without(sent("send " + hex(request)))).isEqualTo(request);
  }

  @Test
  void headersLongerThanTheLimitAreLeftAlone() throws InterruptedException {
    String request = request("GET /longer HTTP/1.1", headers(20 * 1024));

    assertThat(sent("send " + hex(request))).isEqualTo(request);
    assertThat(observation.count(Outcome.SKIPPED_HEADERS_TOO_LONG)).isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "TraceParent:00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00",
        "TRACEPARENT: \t 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01  ",
        "traceparent : 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "traceparent: nonsense"
      })
  void aTraceparentThatIsThereStaysTheOnlyOne(String header) throws InterruptedException {
    long before = observation.count(Outcome.ADOPTED);
    String request = request("GET /traced HTTP/1.1", headers(5000) + header + "\r\n");

    assertThat(sent("send " + hex(request))).isEqualTo(request);
    for (int cut : new int[] {10, 3000, request.length() - 40, request.length() - 5}) {
      assertThat(
              sent("send " + hex(request.substring(0, cut)), "send " + hex(request.substring(cut))))
          .isEqualTo(request);
    }
    assertThat(observation.count(Outcome.ADOPTED)).isEqualTo(before + 5);
  }

  @Test
  void aHeaderThatOnlyBeginsLikeItIsAnother() throws InterruptedException {
    String request = request("GET /other HTTP/1.1", "traceparent-of: x\r\nx-traceparent: y\r\n");

    assertThat(without(sent("send " + hex(request)))).isEqualTo(request);
  }

  @Test
  void aLargeBodyIsNotTouchedAndTheNextRequestHasAHeader() throws InterruptedException {
    int size = 1 << 20;
    String post = request("POST /large HTTP/1.1", "Content-Length: " + size + "\r\n");
    String received = sent("send " + hex(post), "fill " + size, "send " + hex(PLAIN));

    assertThat(HEADER.matcher(received).results().count()).isEqualTo(2);
    assertThat(HEADER.matcher(received).replaceAll("")).isEqualTo(post + filled(size) + PLAIN);
  }

  @Test
  void aBodyThatLooksLikeARequestIsNotTouched() throws InterruptedException {
    String post = request("POST /body HTTP/1.1", "Content-Length: " + PLAIN.length() + "\r\n");
    String received = sent("send " + hex(post), "send " + hex(PLAIN), "send " + hex(PLAIN));

    assertThat(received)
        .matches("(?s)POST[^\r]*\r\ntraceparent.*\r\n\r\nGET /plain HTTP/1.1\r\nHost.*");
    assertThat(HEADER.matcher(received).results().count()).isEqualTo(2);
    assertThat(HEADER.matcher(received).replaceAll("")).isEqualTo(post + PLAIN + PLAIN);
  }

  @Test
  void theEndOfABodyAndARequestMayComeInOneSend() throws InterruptedException {
    String post = request("POST /end HTTP/1.1", "Content-Length: 10\r\n");
    String received = sent("send " + hex(post + "01234"), "send " + hex("56789" + PLAIN));

    assertThat(HEADER.matcher(received).results().count()).isEqualTo(2);
    assertThat(HEADER.matcher(received).replaceAll("")).isEqualTo(post + "0123456789" + PLAIN);
  }

  @Test
  void chunksThatLookLikeRequestsAreNotTouched() throws InterruptedException {
    String post = request("POST /chunks HTTP/1.1", "Transfer-Encoding: chunked\r\n");
    String chunk =
        Integer.toHexString(PLAIN.length()).toUpperCase(java.util.Locale.ROOT) + ";x=y\r\n";
    String received =
        sent(
            "send " + hex(post),
            "send " + hex(chunk),
            "send " + hex(PLAIN),
            "send " + hex("\r\n5\r\n0\r\n\r\n\r\n0\r\n"),
            "send " + hex("Trailer: x\r\n\r"),
            "send " + hex("\n"),
            "send " + hex(PLAIN));

    assertThat(HEADER.matcher(received).results().count()).isEqualTo(2);
    assertThat(HEADER.matcher(received).replaceAll(""))
        .isEqualTo(post + chunk + PLAIN + "\r\n5\r\n0\r\n\r\n\r\n0\r\nTrailer: x\r\n\r\n" + PLAIN);
    assertThat(received).endsWith(received.substring(received.lastIndexOf("GET /plain")));
    assertThat(received.substring(received.lastIndexOf("GET /plain"))).contains("traceparent");
  }

  @Test
  void twoLengthsAreLeftAloneFromThenOn() throws InterruptedException {
    String post = request("POST /two HTTP/1.1", "Content-Length: 5\r\nContent-Length: 500\r\n");
    String received = sent("send " + hex(post + "01234"), "send " + hex(PLAIN));

    assertThat(HEADER.matcher(received).replaceAll("")).isEqualTo(post + "01234" + PLAIN);
    assertThat(received).endsWith(PLAIN);
  }

  @Test
  void nothingIsTouchedAfterAnUpgrade() throws InterruptedException {
    String switching = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n";
    String upgrade =
        request("GET /socket HTTP/1.1", "Connection: Upgrade\r\nUpgrade: websocket\r\n");
    receiver.answer(switching);
    String received =
        sent("send " + hex(upgrade), "receive " + switching.length(), "send " + hex(PLAIN));

    assertThat(without(received)).isEqualTo(upgrade + PLAIN);
    assertThat(received).endsWith(PLAIN);
  }

  @Test
  void anUpgradeThatWasRefusedIsARequestLikeOthers() throws InterruptedException {
    String upgrade = request("GET /h2c HTTP/1.1", "Connection: Upgrade\r\nUpgrade: h2c\r\n");
    receiver.answer(OK);
    String received = sent("send " + hex(upgrade), "receive " + OK.length(), "send " + hex(PLAIN));

    assertThat(HEADER.matcher(received).results().count()).isEqualTo(2);
    assertThat(HEADER.matcher(received).replaceAll("")).isEqualTo(upgrade + PLAIN);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8, 11, 12, 30})
  void aRefusalThatIsReadInPiecesIsOne(int cut) throws InterruptedException {
    String upgrade = request("GET /h2c HTTP/1.1", "Connection: Upgrade\r\nUpgrade: h2c\r\n");
    receiver.answer(OK);
    String received =
        sent(
            "send " + hex(upgrade),
            "receive " + cut,
            "receive " + (OK.length() - cut),
            "send " + hex(PLAIN));

    assertThat(HEADER.matcher(received).results().count()).isEqualTo(2);
    assertThat(HEADER.matcher(received).replaceAll("")).isEqualTo(upgrade + PLAIN);
  }

  @Test
  void nothingIsTouchedInATunnel() throws InterruptedException {
    String connect = "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n";
    receiver.answer(OK);
    String received = sent("send " + hex(connect), "receive " + OK.length(), "send " + hex(PLAIN));

    assertThat(HEADER.matcher(received).replaceAll("")).isEqualTo(connect + PLAIN);
    assertThat(received).endsWith(PLAIN);
  }

  @Test
  void whatIsNotHttpIsNotTouched() throws InterruptedException {
    Random random = new Random(42);
    for (int i = 0; i < 200; i++) {
      byte[] bytes = new byte[1 + random.nextInt(3000)];
      random.nextBytes(bytes);
      String first = HexFormat.of().formatHex(bytes);
      receiver.answer(null);
      command("connect " + receiver.port());
      command("send " + first);
      command("send " + hex(PLAIN));
      command("close");
      assertThat(receiver.next()).isEqualTo(HexFormat.of().parseHex(first + hex(PLAIN)));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\n",
        "GET /old\r\n\r\n",
        "get / HTTP/1.1\r\nHost: x\r\n\r\n",
        "SET key value\r\n\r\n",
        "\u0016\u0003\u0001\u0002\u0000\u0001"
      })
  void otherProtocolsAreNotTouched(String bytes) throws InterruptedException {
    assertThat(sent("send " + hex(bytes), "send " + hex(PLAIN))).isEqualTo(bytes + PLAIN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"OPTIONS", "TRACE", "PATCH", "DELETE", "PROPFIND", "VERSION-CONTROL", "X"})
  void anyMethodIsOne(String method) throws InterruptedException {
    String request = request(method + " /any HTTP/1.1", "");

    assertThat(without(sent("send " + hex(request)))).isEqualTo(request);
  }

  @Test
  void aHeadThatGoesOnInAFileIsComplete() throws InterruptedException {
    int size = 50_000;
    String post = request("POST /file HTTP/1.1", "Content-Length: " + size + "\r\n");
    String received = sent("more " + hex(post), "file " + size, "send " + hex(PLAIN));

    assertThat(HEADER.matcher(received).results().count()).isEqualTo(2);
    assertThat(HEADER.matcher(received).replaceAll("")).isEqualTo(post + filled(size) + PLAIN);
  }

  @ParameterizedTest
  @CsvSource({"4608,1,0", "10000,1,0", "4608,0,1000", "10000,0,1000"})
  void aReceiverThatIsSlowGetsEveryByteOnce(int buffer, int nonBlocking, int timer)
      throws InterruptedException {
    int size = 100_000;
    receiver.slow(true);
    command("sndbuf " + buffer);
    command("nonblock " + nonBlocking);
    command("timer " + timer);
    for (int run = 0; run < 5; run++) {
      String post = request("POST /slow HTTP/1.1", "Content-Length: " + size + "\r\n");
      StringBuilder expected = new StringBuilder();
      command("connect " + receiver.port());
      for (int i = 0; i < 3; i++) {
        command("send " + hex(post));
        command("fill " + size);
        expected.append(post).append(filled(size));
      }
      command("close");
      String received = text(receiver.next());

      assertThat(HEADER.matcher(received).replaceAll("")).isEqualTo(expected.toString());
    }
  }

  /** Connects, sends, closes; the bytes that arrived. */
  private String sent(String... commands) throws InterruptedException {
    command("connect " + receiver.port());
    for (String command : commands) {
      command(command);
    }
    command("close");
    return text(receiver.next());
  }

  private void command(String line) {
    sender.send(line);
    assertThat(sender.readLine()).as(line).isEqualTo("ok");
  }

  /** The text without its only traceparent. */
  private static String without(String received) {
    Matcher matcher = HEADER.matcher(received);
    assertThat(matcher.results().count()).as("headers in %s", received).isEqualTo(1);
    return matcher.reset().replaceFirst("");
  }

  private static String request(String line, String headers) {
    return line + "\r\nHost: localhost\r\n" + headers + "\r\n";
  }

  private static String headers(int size) {
    StringBuilder headers = new StringBuilder();
    for (int i = 0; headers.length() < size - 100; i++) {
      headers.append("X-Header-").append(i).append(": ").append("v".repeat(i % 300)).append("\r\n");
    }
    return headers.toString();
  }

  private static String filled(int size) {
    StringBuilder body = new StringBuilder(size);
    for (int i = 0; i < size; i++) {
      body.append((char) ('a' + i % 26));
    }
    return body.toString();
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
