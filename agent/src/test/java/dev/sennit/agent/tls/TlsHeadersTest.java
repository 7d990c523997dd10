/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.agent.boot.AgentJvm;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The shipped agent in JVMs that ask by HTTPS; what arrives is compared, byte by byte. */
@Requires
final class TlsHeadersTest {
  private static final Pattern ADDED =
      Pattern.compile(
          "^([A-Z]+ /(\\S+) HTTP/1.1\r\n)"
              + "traceparent: 00-0000000000000001([0-9a-f]{16})-([0-9a-f]{16})-01\r\n");

  @TempDir private static Path folder;
  private static Path store;

  @BeforeAll
  static void makeCertificate() throws Exception {
    store = RecordingServer.store(folder);
  }

  @ParameterizedTest
  @ValueSource(strings = {"url", "client"})
  void everyRequestGetsOneHeaderAndNothingElseChanges(String way) throws Exception {
    List<String> with = run("ctxstorage=otel,handoff,tls=on", way);
    List<String> without = run("ctxstorage=otel,handoff,tls=off", way);
    assertThat(without).noneMatch(request -> ADDED.matcher(request).find());
    assertThat(without).hasSize(SecureCalls.KEPT_ALIVE + 7);

    assertThat(withoutAdded(with, without.size() - 2)).isEqualTo(without);
  }

  @Test
  void whatIsSentOnOtherThreadsHasTheContextOfWhoeverAsked() throws Exception {
    List<String> requests = run("ctxstorage=otel,handoff,tls=on", "client-async");

    assertThat(requests).hasSize(200);
    withoutAdded(requests, 200);
  }

  @Test
  void aBodyIsNotTakenForARequest() throws Exception {
    List<String> requests = run("ctxstorage=otel,handoff,tls=on", "socket");

    assertThat(withoutAdded(requests, 4))
        .containsExactly(
            "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n",
            lines(
                "POST /2 HTTP/1.1",
                "Content-Length: 40",
                "",
                "GET /in-body HTTP/1.1",
                "GET /x HTTP/1.1",
                ""),
            lines(
                "POST /3 HTTP/1.1",
                "Transfer-Encoding: chunked",
                "",
                "15",
                "GET /chunk HTTP/1.1",
                "",
                "0",
                "",
                ""),
            "GET /4 HTTP/1.1\r\nHost: a\r\n\r\n");
  }

  @Test
  void whereAHeadCameInPiecesTheSessionIsLeftAlone() throws Exception {
    assertThat(run("ctxstorage=otel,handoff,tls=on", "split"))
        .containsExactly(
            "GET /split HTTP/1.1\r\nHost: a\r\n\r\n", "GET /after HTTP/1.1\r\nHost: a\r\n\r\n");
  }

  private static String lines(String... lines) {
    return String.join("\r\n", lines);
  }

  private static List<String> run(String options, String way) throws Exception {
    try (RecordingServer server = new RecordingServer(store)) {
      List<String> command = new ArrayList<>();
      command.add(AgentJvm.agent(options));
      command.add("-Djavax.net.ssl.trustStore=" + store);
      command.add("-Djavax.net.ssl.trustStorePassword=password");
      command.addAll(List.of("-cp", ChildProcess.classPath()));
      command.addAll(List.of(SecureCalls.class.getName(), "" + server.port(), way));
      AgentJvm.Outcome outcome = AgentJvm.run(command);
      assertThat(outcome.status()).as(outcome.err()).isZero();
      assertThat(outcome.err().lines()).as(outcome.err()).hasSize(1);
      return localised(server.requests());
    }
  }

  /** Two servers have two ports. */
  private static List<String> localised(List<String> requests) {
    return requests.stream()
        .map(request -> request.replaceFirst("Host: localhost:\\d+", "Host: localhost"))
        .toList();
  }

  /** Each of the headers has the trace of its request, and a span id of its own. */
  private static List<String> withoutAdded(List<String> requests, int expected) {
    Set<String> spans = new HashSet<>();
    List<String> stripped = new ArrayList<>();
    for (String request : requests) {
      Matcher added = ADDED.matcher(request);
      if (added.find()) {
        assertThat(Long.parseLong(added.group(3), 16)).isEqualTo(Long.parseLong(added.group(2)));
        spans.add(added.group(4));
        stripped.add(added.replaceFirst("$1"));
      } else {
        stripped.add(request);
      }
    }
    assertThat(spans).hasSize(expected).doesNotContain("0".repeat(16));
    return stripped;
  }
}
