/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.demo.shop;

import dev.sennit.cli.demo.shop.Serving.Reply;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.Executors;

/** The orders, each in a virtual thread of its own; they ask for prices and count in a database. */
public final class Orders {
  private static final Duration SLOW = Duration.ofMillis(250);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final int pricesPort;
  private final int databasePort;

  private Orders(int pricesPort, int databasePort) {
    this.pricesPort = pricesPort;
    this.databasePort = databasePort;
  }

  /** Takes the port of the prices and that of the database. */
  public static void main(String[] arguments) throws IOException {
    Orders orders = new Orders(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
    Serving.serve(Executors.newVirtualThreadPerTaskExecutor(), orders::reply);
  }

  private Reply reply(String path, String number) throws IOException, InterruptedException {
    Serving.log("INFO", "request " + number + ": order received");
    if (path.equals("/slow")) {
      waitForTheWarehouse();
    }
    HttpResponse<String> price =
        client.send(
            HttpRequest.newBuilder(
                    URI.create("http://localhost:" + pricesPort + path + "?id=" + number))
                .build(),
            BodyHandlers.ofString());
    if (price.statusCode() != 200) {
      Serving.log("ERROR", "request " + number + ": there is no price for that");
      return new Reply(500, "no price");
    }
    long sold;
    try (Database database = new Database(databasePort)) {
      sold = database.increment("sold:" + Integer.parseInt(number) % 10);
    }
    Serving.log("INFO", "request " + number + ": order " + sold + " taken");
    return new Reply(200, "order " + sold + " for " + price.body());
  }

  private static void waitForTheWarehouse() throws InterruptedException {
    Thread.sleep(SLOW);
  }
}
