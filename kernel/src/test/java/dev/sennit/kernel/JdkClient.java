/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;

/** The series of requests of {@link RuntimeInjectionTest}, by the clients of the JDK. */
final class JdkClient {
  private JdkClient() {}

  public static void main(String[] arguments) throws Exception {
    Series series = Series.of(arguments);
    // The certificate is for another name.
    System.setProperty("jdk.internal.httpclient.disableHostnameVerification", "true");
    switch (arguments[0]) {
      case "http1" -> new Modern(HttpClient.Version.HTTP_1_1, series).run();
      case "http2" -> new Modern(HttpClient.Version.HTTP_2, series).run();
      case "url" -> new Old(series).run();
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  /** {@code java.net.http.HttpClient}. */
  private static final class Modern {
    private final Series series;
    private final HttpClient client;

    Modern(HttpClient.Version version, Series series) throws GeneralSecurityException {
      this.series = series;
      client = HttpClient.newBuilder().version(version).sslContext(Series.trusting()).build();
    }

    void run() throws IOException, InterruptedException {
      series.run(this::send);
      CompletableFuture<Void> closed = new CompletableFuture<>();
      WebSocket socket =
          client
              .newWebSocketBuilder()
              .buildAsync(
                  URI.create("ws://127.0.0.1:" + series.port() + "/socket"),
                  new WebSocket.Listener() {
                    @Override
                    public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
                      closed.complete(null);
                      return CompletableFuture.completedFuture(null);
                    }
                  })
              .join();
      socket.sendText(Series.LOOKS_LIKE_A_REQUEST, true).join();
      socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
      closed.join();
    }

    private void send(String method, URI uri, Map<String, String> headers, byte[] body)
        throws IOException, InterruptedException {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(uri)
              .method(
                  method,
                  body.length == 0
                      ? HttpRequest.BodyPublishers.noBody()
                      : HttpRequest.BodyPublishers.ofByteArray(body));
      headers.forEach(request::header);
      Series.check(client.send(request.build(), HttpResponse.BodyHandlers.ofString()).body());
    }
  }

  /** {@code HttpURLConnection}. */
  private static final class Old {
    private final Series series;

    Old(Series series) throws GeneralSecurityException {
      this.series = series;
      SSLContext context = Series.trusting();
      HttpsURLConnection.setDefaultSSLSocketFactory(context.getSocketFactory());
      HttpsURLConnection.setDefaultHostnameVerifier((name, session) -> true);
    }

    void run() throws IOException, InterruptedException {
      series.run(this::send);
    }

    private void send(String method, URI uri, Map<String, String> headers, byte[] body)
        throws IOException {
      HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
      connection.setRequestMethod(method);
      headers.forEach(connection::setRequestProperty);
      if (body.length > 0) {
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(body.length);
        try (OutputStream out = connection.getOutputStream()) {
          out.write(body);
        }
      }
      Series.check(new String(connection.getInputStream().readAllBytes(), Series.CHARSET));
    }
  }
}
