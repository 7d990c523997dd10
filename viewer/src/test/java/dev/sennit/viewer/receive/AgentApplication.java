/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.logging.Logger;

/** An application that knows of no telemetry; OpenTelemetry's agent sees its requests and lines. */
final class AgentApplication {
  static final int REQUESTS = 5;

  private AgentApplication() {}

  public static void main(String[] arguments) throws InterruptedException {
    Logger.getLogger("application").info("a line of the application");
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (int i = 0; i < REQUESTS; i++) {
        try {
          var _ =
              client.send(
                  HttpRequest.newBuilder(URI.create("http://127.0.0.1:1/")).build(),
                  BodyHandlers.discarding());
        } catch (IOException e) {
          // Nobody listens there, which makes a span as well.
        }
      }
    }
    System.out.println("done");
  }
}
