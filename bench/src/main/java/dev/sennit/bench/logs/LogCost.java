/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.logs;

import com.sun.net.httpserver.HttpServer;
import dev.sennit.bench.NumberOption;
import dev.sennit.bench.Samples;
import dev.sennit.intake.Encoding;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A program that logs 100,000 lines a second, alone and observed in turn: whether it keeps its
 * pace, by how much its processor time grows, and whether every line arrives at the collector.
 */
public final class LogCost {
  private static final int RATE = 100_000;
  private static final int SECONDS = 10;
  private static final double MOST_GROWTH = 0.2;

  private final Path folder;
  private final HttpServer collector;
  private final AtomicLong arrived = new AtomicLong();

  private LogCost(Path folder, HttpServer collector) {
    this.folder = folder;
    this.collector = collector;
  }

  private record Run(long warmUp, long lines, double seconds, double cpu) {
    double rate() {
      return lines / seconds;
    }

    double microsPerLine() {
      return 1e6 * cpu / lines;
    }
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    int rounds = new NumberOption("--rounds", 1, 3).parse(arguments);
    Path folder = Path.of(System.getProperty("sennit.bench.target"), "logs");
    Files.createDirectories(folder);
    HttpServer collector =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
    LogCost cost = new LogCost(folder, collector);
    collector.createContext(
        "/",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          if (exchange.getRequestURI().getPath().endsWith("/logs")) {
            cost.count(body);
          }
          exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
    try {
      cost.run(rounds);
    } finally {
      collector.stop(0);
    }
  }

  private void count(byte[] body) throws IOException {
    ExportLogsServiceRequest request =
        Encoding.PROTOBUF.read(body, ExportLogsServiceRequest.getDefaultInstance());
    request
        .getResourceLogsList()
        .forEach(
            resource ->
                resource.getScopeLogsList().stream()
                    .flatMap(scope -> scope.getLogRecordsList().stream())
                    .filter(record -> record.getBody().getStringValue().startsWith("order 4711"))
                    .forEach(record -> arrived.incrementAndGet()));
  }

  private void run(int rounds) throws IOException, InterruptedException {
    List<Double> alone = new ArrayList<>();
    List<Double> observed = new ArrayList<>();
    List<Double> rates = new ArrayList<>();
    long missing = 0;
    for (int round = 0; round < rounds; round++) {
      Run without = start(false, RATE);
      arrived.set(0);
      Run with = start(true, RATE);
      alone.add(without.microsPerLine());
      observed.add(with.microsPerLine());
      rates.add(with.rate());
      missing += with.warmUp() + with.lines() - arrived.get();
      System.out.printf(
          "round %d: %.2f and %.2f µs of processor time a line, %.0f lines a second, %d of %d"
              + " arrived%n",
          round + 1,
          without.microsPerLine(),
          with.microsPerLine(),
          with.rate(),
          arrived.get(),
          with.warmUp() + with.lines());
    }
    double growth = Samples.of(observed).median() / Samples.of(alone).median() - 1;
    System.out.printf(
        "%nmedians of %d rounds, alone and observed in turn, at %,d lines a second:%n",
        rounds, RATE);
    System.out.printf("lines a second: %,.0f (goal %,d)%n", Samples.of(rates).median(), RATE);
    System.out.printf(
        "processor time of the program: %+.0f %% (goal at most %.0f %%)%n",
        100 * growth, 100 * MOST_GROWTH);
    System.out.printf("lines that did not arrive: %d (goal 0)%n", missing);
    Run fastAlone = start(false, 0);
    arrived.set(0);
    Run fast = start(true, 0);
    System.out.printf(
        "as fast as it can: %,.0f lines a second alone, %,.0f observed, of which %d of %d"
            + " arrived%n",
        fastAlone.rate(), fast.rate(), arrived.get(), fast.warmUp() + fast.lines());
  }

  private Run start(boolean observed, int rate) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    if (observed) {
      Path root = Path.of(System.getProperty("sennit.bench.target"), "..", "..").normalize();
      command.addAll(
          List.of(
              root.resolve("sennit").toString(),
              "run",
              "--no-store",
              "--otlp",
              "http://127.0.0.1:" + collector.getAddress().getPort(),
              "--"));
    }
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-Xmx256m",
            "-cp",
            classPath(),
            LogWriter.class.getName(),
            folder.resolve("orders.log").toString(),
            Integer.toString(rate),
            Integer.toString(SECONDS)));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("SENNIT_OTLP_QUEUE_DIRECTORY", folder.resolve("queue").toString());
    Process process = builder.start();
    Run run = null;
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (line.startsWith("RESULT ")) {
          String[] words = line.split(" ");
          run =
              new Run(
                  Long.parseLong(words[1]),
                  Long.parseLong(words[2]),
                  Double.parseDouble(words[3]),
                  Double.parseDouble(words[4]));
        }
      }
    }
    int status = process.waitFor();
    if (run == null || status != 0) {
      throw new IllegalStateException("the program ended with " + status);
    }
    return run;
  }

  /** The logger goes before what keeps Sennit's own libraries from logging. */
  private static String classPath() {
    Path peers = Path.of(System.getProperty("sennit.bench.peers"));
    return Stream.of("logback-classic.jar", "logback-core.jar")
            .map(jar -> peers.resolve(jar).toString())
            .collect(Collectors.joining(File.pathSeparator))
        + File.pathSeparator
        + System.getProperty("java.class.path");
  }
}
