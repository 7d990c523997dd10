/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.services;

import io.helidon.http.Status;
import io.helidon.webclient.api.HttpClientResponse;
import io.helidon.webclient.api.WebClient;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.time.Duration;

/** Helidon SE, whose requests are each a virtual thread. */
public final class HelidonService {
  private static final Duration PAUSE = Duration.ofMillis(5);

  private final WebClient client;

  private HelidonService(WebClient client) {
    this.client = client;
  }

  /**
   * Serves until it is ended.
   *
   * @param arguments the address of the other service
   */
  public static void main(String[] arguments) {
    WebClient client = WebClient.builder().baseUri(arguments[0]).build();
    HelidonService service = new HelidonService(client);
    WebServerConfig.Builder settings =
        WebServer.builder()
            .host("127.0.0.1")
            .port(0)
            .routing(routing -> routing.get("/{request}", service::serve));
    Keys.ofServer().ifPresent(context -> settings.tls(tls -> tls.sslContext(context)));
    WebServer server = settings.build().start();
    System.out.println("port " + server.port());
  }

  private void serve(ServerRequest request, ServerResponse response) throws InterruptedException {
    String number = request.path().pathParameters().get("request");
    ask(number, 1);
    System.out.println("line " + number);
    Thread.sleep(PAUSE);
    ask(number, 2);
    response.status(Status.OK_200).send("done");
  }

  private void ask(String request, int call) {
    try (HttpClientResponse response = client.get("/" + request + "/" + call).request()) {
      response.entity().consume();
    }
  }
}
