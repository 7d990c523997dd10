/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.receiver;

import dev.sennit.bench.NumberOption;
import dev.sennit.testing.ChildProcess;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Sends spans by gRPC and log records by HTTP, as several applications do with OpenTelemetry's SDK,
 * at an even pace to a receiver whose JVM has 256 MiB, and prints what arrived.
 */
public final class ReceiverBench {
  private static final NumberOption SECONDS = new NumberOption("--seconds", 1, 30);
  private static final NumberOption RATE = new NumberOption("--rate", 1, 20_000);
  private static final List<String> LIMITED = List.of("-Xmx256m");

  /**
   * One SDK has one request on its way at a time, and by HTTP waits 40 ms for each of its own
   * accord.
   */
  private static final int APPLICATIONS = 4;

  private ReceiverBench() {}

  public static void main(String[] arguments) {
    Map<NumberOption, Integer> options = NumberOption.parse(arguments, SECONDS, RATE);
    int seconds = options.getOrDefault(SECONDS, SECONDS.defaultValue());
    int rate = options.getOrDefault(RATE, RATE.defaultValue());
    try (ChildProcess receiver =
        ChildProcess.start(ChildProcess.javaCommand(LIMITED, CountingReceiver.class))) {
      String[] ports = receiver.expect("ports ").split(" ");
      double took = send(seconds, rate, ports[0], ports[1]);
      receiver.endInput();
      long expected = (long) seconds * rate;
      System.out.printf(
          Locale.ROOT,
          "%,d of each in %.1f s, which is %,.0f a second of each%n%n",
          expected,
          took,
          expected / took);
      System.out.println("| what | sent | arrived | lost | twice |\n|---|---|---|---|---|");
      boolean whole = print("spans, by gRPC", expected, receiver.expect("spans "));
      whole &= print("log records, by HTTP", expected, receiver.expect("lines "));
      String[] cost = receiver.expect("cost ").split(" ");
      System.out.printf(
          Locale.ROOT,
          "%nThe receiver took %.0f %% of a processor and, at most, %,d MiB of memory.%n",
          Long.parseLong(cost[0]) / took / 10,
          Long.parseLong(cost[1]) >> 10);
      System.exit(whole ? 0 : 1);
    }
  }

  private static boolean print(String what, long sent, String arrived) {
    String[] counts = arrived.split(" ");
    long lost = sent - Long.parseLong(counts[0]);
    System.out.printf(
        Locale.ROOT,
        "| %s | %,d | %,d | %,d | %s |%n",
        what,
        sent,
        Long.parseLong(counts[0]),
        lost,
        counts[1]);
    return lost == 0 && counts[1].equals("0");
  }

  /** Returns how many seconds it took until everything was answered. */
  private static double send(int seconds, int rate, String httpPort, String grpcPort) {
    List<Application> applications =
        IntStream.range(0, APPLICATIONS)
            .mapToObj(
                i ->
                    new Application("http://localhost:" + httpPort, "http://localhost:" + grpcPort))
            .toList();
    long beginning = System.nanoTime();
    pace(seconds, rate, i -> applications.get(i % APPLICATIONS).request(i));
    applications.forEach(Application::close);
    return (System.nanoTime() - beginning) / 1e9;
  }

  private static void pace(int seconds, int rate, IntConsumer each) {
    long beginning = System.nanoTime();
    for (int i = 0; i < seconds * rate; i++) {
      long due = beginning + (long) (i * 1e9 / rate);
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(1_000_000);
      }
      each.accept(i);
    }
  }
}
