/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/** They come to the shop at a steady rate, and remember what became of each of their requests. */
public final class Customers implements AutoCloseable {
  private static final int PER_SECOND = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Most check out; some find the slow, the failing and the hungry part of the shop. */
  private static final List<String> PATHS =
      List.of(
          "/checkout",
          "/checkout",
          "/slow",
          "/checkout",
          "/report",
          "/checkout",
          "/fail",
          "/checkout");

  /**
   * A request that was answered.
   *
   * @param number which stands in every address and every line of it
   */
  public record Visit(int number, String path, int status) {}

  private final int port;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Visit> visits = Collections.synchronizedList(new ArrayList<>());
  private final Thread thread;
  private volatile boolean closed;

  private Customers(Shop shop) {
    port = shop.port();
    thread = Thread.ofPlatform().daemon().name("demo-customers").unstarted(this::come);
  }

  /** Lets them come. */
  public static Customers of(Shop shop) {
    Customers customers = new Customers(shop);
    customers.thread.start();
    return customers;
  }

  private void come() {
    long begin = System.nanoTime();
    for (int number = 1; !closed; number++) {
      int which = number;
      executor.execute(() -> visit(which));
      long next = begin + Duration.ofSeconds(1).toNanos() * number / PER_SECOND;
      while (!closed && System.nanoTime() < next) {
        LockSupport.parkNanos(next - System.nanoTime());
      }
    }
  }

  private void visit(int number) {
    String path = PATHS.get(number % PATHS.size());
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path + "?id=" + number))
            .timeout(PATIENCE)
            .build();
    try {
      int status = client.send(request, BodyHandlers.discarding()).statusCode();
      visits.add(new Visit(number, path, status));
    } catch (IOException e) {
      visits.add(new Visit(number, path, 0));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What has been answered so far. */
  public List<Visit> visits() {
    synchronized (visits) {
      return List.copyOf(visits);
    }
  }

  /** Lets nobody in any more, and waits for those who are there. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    executor.close();
    client.close();
  }
}
