/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.tls;

import dev.sennit.context.thread.ContextApi;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** An application that asks a server by HTTPS, in the way that it is told. */
final class SecureCalls {
  static final int KEPT_ALIVE = 200;
  static final int LARGE = 1 << 20;

  private final int port;

  private SecureCalls(int port) {
    this.port = port;
  }

  private interface Asker {
    void ask(String method, String path, byte[] body, List<String> headers) throws Exception;
  }

  public static void main(String[] arguments) throws Exception {
    SecureCalls calls = new SecureCalls(Integer.parseInt(arguments[0]));
    switch (arguments[1]) {
      case "url" -> calls.all(calls::url);
      case "client" -> calls.all(calls.client(HttpClient.Version.HTTP_1_1));
      case "client-async" -> calls.atOnce();
      case "socket" -> calls.socket();
      case "split" -> calls.split();
      default -> throw new IllegalArgumentException(arguments[1]);
    }
    System.out.println("done");
  }

  /** Every kind of request; the number of its trace is in its path. */
  private void all(Asker asker) throws Exception {
    for (int i = 1; i <= KEPT_ALIVE; i++) {
      within(i, asker, "GET", "/" + i, new byte[0]);
    }
    within(1001, asker, "POST", "/1001", new byte[LARGE]);
    within(1002, asker, "POST", "/1002", ascii("GET /fake HTTP/1.1\r\nHost: fake\r\n\r\n"));
    within(1003, asker, "GET", "/1003", new byte[0]);
    within(1004, asker, "GET", "/own", new byte[0], "TraceParent", "00-" + "a".repeat(32) + "-01");
    within(1005, asker, "CHUNKED", "/1005", ascii("GET /chunked HTTP/1.1\r\n\r\n".repeat(900)));
    within(1006, asker, "GET", "/1006", new byte[0]);
    asker.ask("GET", "/none", new byte[0], List.of());
  }

  private static void within(
      int trace, Asker asker, String method, String path, byte[] body, String... headers)
      throws Exception {
    ContextApi.setOtel(1, trace, trace, 1);
    try {
      asker.ask(method, path, body, List.of(headers));
    } finally {
      ContextApi.clear();
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private void url(String method, String path, byte[] body, List<String> headers)
      throws IOException {
    HttpsURLConnection connection =
        (HttpsURLConnection)
            URI.create("https://localhost:" + port + path).toURL().openConnection();
    for (int i = 0; i < headers.size(); i += 2) {
      connection.setRequestProperty(headers.get(i), headers.get(i + 1));
    }
    if (body.length > 0) {
      connection.setDoOutput(true);
      if (method.equals("CHUNKED")) {
        connection.setChunkedStreamingMode(3000);
      } else if (body.length == LARGE) {
        connection.setFixedLengthStreamingMode(body.length);
      }
      try (OutputStream out = connection.getOutputStream()) {
        out.write(body);
      }
    }
    try (InputStream in = connection.getInputStream()) {
      in.readAllBytes();
    }
  }

  private Asker client(HttpClient.Version version) {
    HttpClient client = HttpClient.newBuilder().version(version).build();
    return (method, path, body, headers) ->
        client.send(request(method, path, body, headers), HttpResponse.BodyHandlers.discarding());
  }

  private HttpRequest request(String method, String path, byte[] body, List<String> headers) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create("https://localhost:" + port + path));
    if (!headers.isEmpty()) {
      builder.headers(headers.toArray(String[]::new));
    }
    if (method.equals("CHUNKED")) {
      builder.POST(HttpRequest.BodyPublishers.fromPublisher(publisher(body)));
    } else if (body.length > 0) {
      builder.POST(HttpRequest.BodyPublishers.ofByteArray(body));
    }
    return builder.build();
  }

  private static HttpRequest.BodyPublisher publisher(byte[] body) {
    return HttpRequest.BodyPublishers.ofByteArray(body);
  }

  /** Many at once, each on a connection of its own that others use afterwards. */
  private void atOnce() throws Exception {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    for (int round = 0; round < 10; round++) {
      CompletableFuture<?>[] answers = new CompletableFuture<?>[20];
      for (int i = 0; i < answers.length; i++) {
        int trace = 1 + round * answers.length + i;
        ContextApi.setOtel(1, trace, trace, 1);
        HttpRequest request = request("GET", "/" + trace, new byte[0], List.of());
        answers[i] = client.sendAsync(request, HttpResponse.BodyHandlers.discarding());
        ContextApi.clear();
      }
      CompletableFuture.allOf(answers).join();
    }
  }

  /** Requests as an application may write them, without anything in between. */
  private void socket() throws IOException {
    try (SSLSocket socket = open()) {
      OutputStream out = socket.getOutputStream();
      ContextApi.setOtel(1, 1, 1, 1);
      out.write(ascii("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"));
      answer(socket);
      ContextApi.setOtel(1, 2, 2, 1);
      out.write(ascii("POST /2 HTTP/1.1\r\nContent-Length: 40\r\n\r\nGET /in-body HTTP/1.1\r\n"));
      out.write(ascii("GET /x HTTP/1.1\r\n"), 0, 17);
      answer(socket);
      ContextApi.setOtel(1, 3, 3, 1);
      out.write(ascii("POST /3 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"));
      out.write(ascii("15\r\nGET /chunk HTTP/1.1\r\n\r"));
      out.write(ascii("\n0\r\n\r\n"));
      answer(socket);
      ContextApi.setOtel(1, 4, 4, 1);
      out.write(ascii("--GET /4 HTTP/1.1\r\nHost: a\r\n\r\n--"), 2, 30);
      answer(socket);
    }
  }

  /** A head in two pieces: where the second one begins, nothing is certain any more. */
  private void split() throws IOException {
    try (SSLSocket socket = open()) {
      OutputStream out = socket.getOutputStream();
      ContextApi.setOtel(1, 1, 1, 1);
      out.write(ascii("GET /split HTTP/1.1\r\nHost: "));
      out.write(ascii("a\r\n\r\n"));
      answer(socket);
      out.write(ascii("GET /after HTTP/1.1\r\nHost: a\r\n\r\n"));
      answer(socket);
    }
  }

  private SSLSocket open() throws IOException {
    SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
    return (SSLSocket) factory.createSocket("localhost", port);
  }

  private static void answer(SSLSocket socket) throws IOException {
    socket.getInputStream().readNBytes(RecordingServer.ANSWER.length());
  }
}
