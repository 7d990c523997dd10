/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.kernel.TracerSettings;
import dev.sennit.otlp.AttributeValue;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.span.SpanKind;
import io.grpc.Status;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;

/**
 * HTTP, gRPC and DNS, seen by the kernel: every request is one span on each side that is observed,
 * the two are joined, and every attribute is as expected.
 */
@Requires(root = true)
final class WebSpansTest {
  private static final Set<String> SERVER_ERRORS = Set.of("INTERNAL", "UNAVAILABLE");

  @Test
  void http() throws Exception {
    try (ObservedPrograms programs = start()) {
      int port = programs.serve(calls("http-server", 0));
      ask(programs, "http-client", port);
      List<Span> sent = spans(programs, "http", SpanKind.CLIENT);
      List<Span> served = spans(programs, "http", SpanKind.SERVER);
      for (int i = 0; i < WebCalls.REQUESTS; i++) {
        assertJoined(sent.get(i), served.get(i));
        assertThat(without(sent.get(i), "client.address")).isEqualTo(httpClient(i, port));
        assertThat(without(served.get(i), "network.peer.port")).isEqualTo(httpServer(i, port));
        assertThat(sent.get(i).name())
            .isEqualTo(WebCalls.method(i).equals("BREW") ? "HTTP" : WebCalls.method(i));
      }
      assertThat(programs.spans().toString()).doesNotContain("secret");
    }
  }

  @Test
  void grpc() throws Exception {
    try (ObservedPrograms programs = start()) {
      int port = programs.serve(calls("grpc-server", 0));
      ask(programs, "grpc-client", port);
      List<Span> sent = spans(programs, "grpc", SpanKind.CLIENT);
      List<Span> served = spans(programs, "grpc", SpanKind.SERVER);
      for (int i = 0; i < WebCalls.REQUESTS; i++) {
        String status = WebCalls.grpcStatus(i & 0xff).getCode().name();
        assertJoined(sent.get(i), served.get(i));
        assertThat(sent.get(i).name()).isEqualTo("web.Calls/Answer");
        assertThat(without(sent.get(i), ""))
            .isEqualTo(grpc(port, status, !status.equals(Status.Code.OK.name())));
        Map<String, AttributeValue> server = grpc(port, status, SERVER_ERRORS.contains(status));
        server.remove("network.peer.port");
        server.put("client.address", AttributeValue.of("127.0.0.1"));
        assertThat(without(served.get(i), "network.peer.port")).isEqualTo(server);
      }
      assertThat(programs.spans().toString()).doesNotContain("secret");
    }
  }

  @Test
  void dns() throws Exception {
    try (NameServer names = NameServer.start();
        ObservedPrograms programs = start()) {
      ask(programs, "dns-client", names.port());
      List<Span> asked = spans(programs, "dns", SpanKind.CLIENT);
      for (int i = 0; i < WebCalls.REQUESTS; i++) {
        assertThat(asked.get(i).name()).isEqualTo("DNS A");
        Map<String, AttributeValue> expected = new HashMap<>();
        expected.put("dns.question.name", AttributeValue.of("host-" + i + ".test"));
        if (WebCalls.isKnown(i)) {
          expected.put("dns.answers", AttributeValue.ofStrings(List.of("10.0.0." + i)));
        } else {
          expected.put("error.type", AttributeValue.of("NXDOMAIN"));
        }
        assertThat(dnsOnly(asked.get(i))).isEqualTo(expected);
      }
    }
  }

  private static ObservedPrograms start() {
    return ObservedPrograms.start(
        new TracerSettings.Builder().logs(false).http2(true).startTraces(true).build());
  }

  private static List<String> calls(String what, int port) {
    return ChildProcess.javaCommand(List.of(), WebCalls.class, what, "" + port);
  }

  private static void ask(ObservedPrograms programs, String client, int port) {
    ChildProcess child = programs.run(calls(client, port));
    assertThat(child.waitFor()).as(child.errors()).isZero();
  }

  /** In the order in which the requests were made; one for each. */
  private static List<Span> spans(ObservedPrograms programs, String protocol, SpanKind kind)
      throws InterruptedException {
    List<Span> spans =
        programs
            .await(
                WebCalls.REQUESTS, span -> span.protocol().equals(protocol) && span.kind() == kind)
            .stream()
            .sorted((one, other) -> Long.compare(one.start(), other.start()))
            .toList();
    assertThat(spans).hasSize(WebCalls.REQUESTS);
    return spans;
  }

  private static void assertJoined(Span sent, Span served) {
    assertThat(served.ids().parentId()).isEqualTo(sent.ids().spanId());
    assertThat(served.ids().isSameTrace(sent.ids())).isTrue();
    assertThat(sent.start()).isLessThan(served.start());
    assertThat(sent.end()).isGreaterThan(served.start());
  }

  private static Map<String, AttributeValue> httpClient(int number, int port) {
    Map<String, AttributeValue> expected = http(number, port);
    int status = WebCalls.status(number);
    expected.put("network.peer.port", AttributeValue.of(port));
    expected.put(
        "url.full",
        AttributeValue.of("http://127.0.0.1:" + port + "/number/" + number + "?q=" + number));
    if (status >= 400) {
      expected.put("error.type", AttributeValue.of("" + status));
    }
    return expected;
  }

  private static Map<String, AttributeValue> httpServer(int number, int port) {
    Map<String, AttributeValue> expected = http(number, port);
    expected.put("url.path", AttributeValue.of("/number/" + number));
    expected.put("url.query", AttributeValue.of("q=" + number));
    expected.put("url.scheme", AttributeValue.of("http"));
    expected.put("user_agent.original", AttributeValue.of("web-calls"));
    expected.put("client.address", AttributeValue.of("127.0.0.1"));
    if (WebCalls.status(number) >= 500) {
      expected.put("error.type", AttributeValue.of("" + WebCalls.status(number)));
    }
    return expected;
  }

  private static Map<String, AttributeValue> http(int number, int port) {
    Map<String, AttributeValue> expected = ends(port);
    boolean known = !WebCalls.method(number).equals("BREW");
    expected.put(
        "http.request.method", AttributeValue.of(known ? WebCalls.method(number) : "_OTHER"));
    if (!known) {
      expected.put("http.request.method_original", AttributeValue.of("BREW"));
    }
    expected.put("http.response.status_code", AttributeValue.of(WebCalls.status(number)));
    expected.put("network.protocol.version", AttributeValue.of("1.1"));
    return expected;
  }

  private static Map<String, AttributeValue> grpc(int port, String status, boolean failed) {
    Map<String, AttributeValue> expected = ends(port);
    expected.put("network.peer.port", AttributeValue.of(port));
    expected.put("rpc.system.name", AttributeValue.of("grpc"));
    expected.put("rpc.method", AttributeValue.of("web.Calls/Answer"));
    expected.put("rpc.response.status_code", AttributeValue.of(status));
    if (failed) {
      expected.put("error.type", AttributeValue.of(status));
    }
    return expected;
  }

  private static Map<String, AttributeValue> ends(int port) {
    return new HashMap<>(
        Map.of(
            "server.address", AttributeValue.of("127.0.0.1"),
            "server.port", AttributeValue.of(port),
            "network.peer.address", AttributeValue.of("127.0.0.1")));
  }

  private static Map<String, AttributeValue> without(Span span, String key) {
    Map<String, AttributeValue> attributes = new HashMap<>(span.attributes());
    attributes.remove(key);
    return attributes;
  }

  /** Who was asked is not known of a socket that is not connected. */
  private static Map<String, AttributeValue> dnsOnly(Span span) {
    Map<String, AttributeValue> attributes = new HashMap<>(span.attributes());
    attributes.keySet().removeIf(key -> key.startsWith("server.") || key.startsWith("network."));
    return attributes;
  }

  /** A name server on loopback, by UDP and TCP, that knows three of four hosts. */
  private record NameServer(DatagramSocket datagrams, ServerSocket connections)
      implements AutoCloseable {
    static NameServer start() throws IOException {
      ServerSocket connections = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
      DatagramSocket datagrams =
          new DatagramSocket(connections.getLocalPort(), InetAddress.getLoopbackAddress());
      NameServer server = new NameServer(datagrams, connections);
      Thread.ofVirtual().start(server::answerDatagrams);
      Thread.ofVirtual().start(server::answerConnections);
      return server;
    }

    int port() {
      return connections.getLocalPort();
    }

    private void answerDatagrams() {
      DatagramPacket packet = new DatagramPacket(new byte[4096], 4096);
      try {
        while (true) {
          datagrams.receive(packet);
          byte[] query = Arrays.copyOf(packet.getData(), packet.getLength());
          byte[] answer = answer(query);
          datagrams.send(
              new DatagramPacket(answer, answer.length, packet.getAddress(), packet.getPort()));
        }
      } catch (IOException ended) {
        // With the test.
      }
    }

    private void answerConnections() {
      try {
        while (true) {
          try (Socket socket = connections.accept();
              DataInputStream in = new DataInputStream(socket.getInputStream());
              DataOutputStream out = new DataOutputStream(socket.getOutputStream())) {
            byte[] query = in.readNBytes(in.readUnsignedShort());
            byte[] answer = answer(query);
            byte[] framed = new byte[answer.length + 2];
            framed[0] = (byte) (answer.length >> 8);
            framed[1] = (byte) answer.length;
            System.arraycopy(answer, 0, framed, 2, answer.length);
            out.write(framed);
          }
        }
      } catch (IOException ended) {
        // With the test.
      }
    }

    private static byte[] answer(byte[] bytes) throws IOException {
      Message query = new Message(bytes);
      Message answer = new Message(query.getHeader().getID());
      answer.getHeader().setFlag(Flags.QR);
      Record question = query.getQuestion();
      answer.addRecord(question, Section.QUESTION);
      String host = question.getName().toString();
      int number = Integer.parseInt(host.substring(5, host.indexOf('.')));
      if (WebCalls.isKnown(number)) {
        InetAddress address = InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) number});
        answer.addRecord(new ARecord(question.getName(), DClass.IN, 60, address), Section.ANSWER);
      } else {
        answer.getHeader().setRcode(Rcode.NXDOMAIN);
      }
      return answer.toWire();
    }

    @Override
    public void close() throws IOException {
      datagrams.close();
      connections.close();
    }
  }
}
