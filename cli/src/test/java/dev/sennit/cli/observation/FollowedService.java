/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A service that knows nothing of traces. For each request it asks another service twice, at once
 * and after a pause, writes a line in between, and works a little; it hands this from thread to
 * thread in the way that it is told.
 */
public final class FollowedService {
  /** By how many methods the work of requests can be told apart. */
  static final int METHODS = 4;

  private static final int PAUSE = 5;
  private static final long BURN = TimeUnit.MILLISECONDS.toNanos(2);
  private final String backend;
  private final HttpClient client;

  private FollowedService(int backend, HttpClient.Version version) {
    this.backend = "http://127.0.0.1:" + backend;
    this.client = HttpClient.newBuilder().version(version).build();
  }

  /** One way of serving a request: it answers in the end, on whatever thread. */
  private interface Way {
    void serve(HttpExchange exchange) throws Exception;
  }

  public static void main(String[] arguments) throws IOException {
    HttpClient.Version version =
        arguments[1].endsWith("2") ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1;
    FollowedService service = new FollowedService(Integer.parseInt(arguments[0]), version);
    Way way = service.way(arguments[1]);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 128);
    server.setExecutor(
        arguments[1].startsWith("virtual") || arguments[1].equals("structured")
            ? Executors.newVirtualThreadPerTaskExecutor()
            : Executors.newFixedThreadPool(24));
    server.createContext(
        "/",
        exchange -> {
          try {
            way.serve(exchange);
          } catch (Exception e) {
            throw new IOException(e);
          }
        });
    server.start();
    System.out.println("port " + server.getAddress().getPort());
    // Until whoever started it says that it is enough.
    if (System.in.read() >= 0) {
      System.exit(0);
    }
  }

  private Way way(String name) {
    ExecutorService cached = Executors.newCachedThreadPool();
    return switch (name) {
      case "same", "virtual" -> this::serve;
      case "fixed" -> handedTo(Executors.newFixedThreadPool(8));
      case "cached" -> handedTo(cached);
      case "virtual-pool" -> handedTo(Executors.newFixedThreadPool(8));
      case "scheduled" -> scheduled(Executors.newScheduledThreadPool(8));
      case "forkjoin" -> this::forked;
      case "future" -> this::chained;
      case "structured" -> this::structured;
      case "send", "send by HTTP/2" -> this::sent;
      case "sendAsync", "sendAsync by HTTP/2" -> this::sentAsync;
      default -> throw new IllegalArgumentException(name);
    };
  }

  private void serve(HttpExchange exchange) throws IOException, InterruptedException {
    ask(exchange, 1);
    log(exchange);
    Thread.sleep(PAUSE);
    ask(exchange, 2);
    answer(exchange);
  }

  /** The thread that read does not wait. */
  private Way handedTo(Executor pool) {
    return exchange ->
        pool.execute(
            () -> {
              try {
                serve(exchange);
              } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
  }

  private Way scheduled(ScheduledExecutorService pool) {
    return exchange -> {
      Callable<Integer> second =
          () -> {
            ask(exchange, 2);
            answer(exchange);
            return 2;
          };
      Callable<Integer> first =
          () -> {
            ask(exchange, 1);
            log(exchange);
            var _ = pool.schedule(second, PAUSE, TimeUnit.MILLISECONDS);
            return 1;
          };
      var _ = pool.schedule(first, 1, TimeUnit.MILLISECONDS);
    };
  }

  private void forked(HttpExchange exchange) {
    ForkJoinPool.commonPool()
        .execute(
            () -> {
              RecursiveAction first = action(() -> ask(exchange, 1));
              first.fork().join();
              log(exchange);
              RecursiveAction second =
                  action(
                      () -> {
                        Thread.sleep(PAUSE);
                        ask(exchange, 2);
                      });
              second.fork().join();
              action(() -> answer(exchange)).invoke();
            });
  }

  private interface Step {
    void go() throws Exception;
  }

  private static RecursiveAction action(Step step) {
    return new RecursiveAction() {
      @Override
      protected void compute() {
        try {
          step.go();
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }
    };
  }

  private void chained(HttpExchange exchange) {
    Executor later = CompletableFuture.delayedExecutor(PAUSE, TimeUnit.MILLISECONDS);
    var _ =
        CompletableFuture.runAsync(action(() -> ask(exchange, 1))::invoke)
            .thenRun(() -> log(exchange))
            .thenRunAsync(action(() -> ask(exchange, 2))::invoke, later)
            .thenCompose(
                done -> CompletableFuture.runAsync(action(() -> answer(exchange))::invoke));
  }

  /** By reflection, for it is not final in this JDK. */
  private void structured(HttpExchange exchange) throws Exception {
    Class<?> type = Class.forName("java.util.concurrent.StructuredTaskScope");
    try (AutoCloseable scope = (AutoCloseable) type.getMethod("open").invoke(null)) {
      Callable<Integer> first =
          () -> {
            ask(exchange, 1);
            log(exchange);
            return 1;
          };
      Callable<Integer> second =
          () -> {
            Thread.sleep(PAUSE);
            ask(exchange, 2);
            return 2;
          };
      type.getMethod("fork", Callable.class).invoke(scope, first);
      type.getMethod("fork", Callable.class).invoke(scope, second);
      type.getMethod("join").invoke(scope);
    }
    answer(exchange);
  }

  private void sent(HttpExchange exchange) throws IOException, InterruptedException {
    client.send(request(exchange, 1), HttpResponse.BodyHandlers.discarding());
    log(exchange);
    Thread.sleep(PAUSE);
    client.send(request(exchange, 2), HttpResponse.BodyHandlers.discarding());
    answer(exchange);
  }

  private void sentAsync(HttpExchange exchange) {
    Executor later = CompletableFuture.delayedExecutor(PAUSE, TimeUnit.MILLISECONDS);
    var _ =
        client
            .sendAsync(request(exchange, 1), HttpResponse.BodyHandlers.discarding())
            .thenAccept(response -> log(exchange))
            .thenComposeAsync(
                done ->
                    client.sendAsync(request(exchange, 2), HttpResponse.BodyHandlers.discarding()),
                later)
            .thenAccept(
                response -> {
                  try {
                    answer(exchange);
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
  }

  private HttpRequest request(HttpExchange exchange, int call) {
    return HttpRequest.newBuilder(URI.create(backend + exchange.getRequestURI() + "/" + call))
        .build();
  }

  private void ask(HttpExchange exchange, int call) throws IOException {
    URI uri = URI.create(backend + exchange.getRequestURI() + "/" + call);
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    try (InputStream in = connection.getInputStream()) {
      in.readAllBytes();
    }
  }

  /** Writes a line, and works for a while in a method by which a sample can be told. */
  private static void log(HttpExchange exchange) {
    int request = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
    System.out.println("line " + request);
    switch (request % METHODS) {
      case 0 -> in0();
      case 1 -> in1();
      case 2 -> in2();
      default -> in3();
    }
  }

  private static void in0() {
    burn();
  }

  private static void in1() {
    burn();
  }

  private static void in2() {
    burn();
  }

  private static void in3() {
    burn();
  }

  private static void burn() {
    long end = System.nanoTime() + BURN;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  private static void answer(HttpExchange exchange) throws IOException {
    byte[] body = "done".getBytes(StandardCharsets.US_ASCII);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
