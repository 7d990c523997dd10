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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** The shop's entrance, on platform threads; it asks the orders, and computes reports itself. */
public final class Gateway {
  private static final int THREADS = 8;
  private static final int LARGEST_DIVISOR = 6_000_000;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final int ordersPort;

  private Gateway(int ordersPort) {
    this.ordersPort = ordersPort;
  }

  /** Takes the port of the orders. */
  public static void main(String[] arguments) throws IOException {
    Gateway gateway = new Gateway(Integer.parseInt(arguments[0]));
    AtomicInteger threads = new AtomicInteger();
    ExecutorService pool =
        Executors.newFixedThreadPool(
            THREADS, task -> new Thread(task, "gateway-" + threads.incrementAndGet()));
    Serving.serve(pool, gateway::reply);
  }

  private Reply reply(String path, String number) throws IOException, InterruptedException {
    Serving.log("INFO", "request " + number + ": " + path);
    if (path.equals("/report")) {
      return new Reply(200, "sum " + computeReport(Integer.parseInt(number)));
    }
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(
                    URI.create("http://localhost:" + ordersPort + path + "?id=" + number))
                .build(),
            BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      Serving.log("WARN", "request " + number + ": orders answered " + answer.statusCode());
    }
    return new Reply(answer.statusCode(), answer.body());
  }

  /** Something for a processor to do; a flame graph is to show it by this name. */
  private static long computeReport(int number) {
    long sum = 0;
    for (int divisor = 1; divisor < LARGEST_DIVISOR; divisor++) {
      sum += (number * 31L + divisor) % (divisor + 7L);
      sum ^= Long.rotateLeft(sum, divisor & 31);
    }
    return sum;
  }
}
