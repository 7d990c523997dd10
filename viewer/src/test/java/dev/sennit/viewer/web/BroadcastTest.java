/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class BroadcastTest {
  private static final int MANY = 20_000;
  private static final String MISSED = "event: missed data: ";
  private static final String LONG = "x".repeat(1000);

  private final Broadcast broadcast = new Broadcast("lines", 10);
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private WebServer server;

  @BeforeEach
  void start() throws IOException {
    server = WebServer.start(WebSettings.onLoopback(0), Site.EMPTY.withLive(broadcast));
  }

  @AfterEach
  void stop() {
    server.close();
    client.close();
  }

  @Test
  void everyListenerIsToldTheSame() throws Exception {
    try (InputStream first = listen();
        InputStream second = listen()) {
      broadcast.publish("line", out -> out.writeString("one"));
      broadcast.publish("line", out -> out.writeString("two"));

      for (InputStream each : List.of(first, second)) {
        BufferedReader reader = new BufferedReader(new InputStreamReader(each, UTF_8));
        assertThat(next(reader)).isEqualTo("event: line data: \"one\"");
        assertThat(next(reader)).isEqualTo("event: line data: \"two\"");
      }
    }
  }

  @Test
  void aSlowListenerMissesTheOldestAndIsToldHowMany() throws Exception {
    try (InputStream slow = listen()) {
      for (int i = 0; i < MANY; i++) {
        int number = i;
        broadcast.publish("line", out -> out.writeString(number + " " + LONG));
      }
      BufferedReader reader = new BufferedReader(new InputStreamReader(slow, UTF_8));
      long told = 0;
      long missed = 0;
      String event;
      do {
        event = next(reader);
        if (event.startsWith(MISSED)) {
          missed += Long.parseLong(event.substring(MISSED.length()));
        } else {
          told++;
        }
      } while (!event.contains("\"" + (MANY - 1) + " "));

      assertThat(missed).isPositive();
      assertThat(told + missed).isEqualTo(MANY);
    }
  }

  /** The answer begins when the listener is known. */
  private InputStream listen() throws Exception {
    URI uri = URI.create("http://localhost:" + server.address().getPort() + "/api/live/lines");
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofInputStream()).body();
  }

  private static String next(BufferedReader reader) throws IOException {
    String line = Objects.requireNonNull(reader.readLine());
    while (!line.startsWith("event: ")) {
      line = Objects.requireNonNull(reader.readLine());
    }
    return line + " " + reader.readLine();
  }
}
