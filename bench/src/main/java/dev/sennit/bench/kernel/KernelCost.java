/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.kernel;

import dev.sennit.bench.NumberOption;
import dev.sennit.kernel.Cgroup;
import dev.sennit.kernel.KernelTracer;
import dev.sennit.kernel.Target;
import dev.sennit.kernel.TracerSettings;
import dev.sennit.kernel.ring.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * wrk, a gateway and a service behind it, all in one cgroup, traced and not in turn: the time in
 * the programs, the latencies at 2,000 requests a second, and what is left of the throughput.
 */
public final class KernelCost {
  private static final int FEWEST = 7;
  private static final int CONNECTIONS = 20;
  private static final String SECONDS = "5s";
  private static final String WARM_UP = "10s";
  private static final int HOPS = 2;

  private final Cgroup cgroup;
  private final Path pace;
  private int port;

  private KernelCost(Cgroup cgroup, Path pace) {
    this.cgroup = cgroup;
    this.pace = pace;
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    int rounds = new NumberOption("--rounds", FEWEST, FEWEST).parse(arguments);
    System.out.printf(
        "ring reader alone: %.1f million events a second (goal 2)%n", RingSpeed.measure());
    Path folder = Path.of(System.getProperty("sennit.bench.target"), "kernel");
    Files.createDirectories(folder);
    // Each connection waits before each request, so that together they make 2,000 a second.
    Path pace = Files.writeString(folder.resolve("pace.lua"), "function delay() return 10 end\n");
    Cgroup cgroup =
        Cgroup.root().orElseThrow().create("sennit-bench-" + ProcessHandle.current().pid());
    List<Process> nodes = new ArrayList<>();
    try {
      KernelCost cost = new KernelCost(cgroup, pace);
      int service = start(cgroup, nodes, List.of());
      cost.port = start(cgroup, nodes, List.of(Integer.toString(service)));
      cost.run(rounds);
    } finally {
      for (Process node : nodes) {
        node.destroyForcibly().waitFor();
      }
      cgroup.remove();
    }
  }

  private static int start(Cgroup cgroup, List<Process> nodes, List<String> arguments)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                HttpNode.class.getName()));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(cgroup.command(command))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    nodes.add(process);
    BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
    return Integer.parseInt(output.readLine().substring("port ".length()));
  }

  private void run(int rounds) throws IOException, InterruptedException {
    long[] bytes = {0};
    try (KernelTracer tracer =
        KernelTracer.load(
            TracerSettings.defaults().toBuilder().startTraces(true).build(),
            List.of(new Target.OfCgroup(cgroup)),
            event -> bytes[0] += event.captured())) {
      ProgramTime time = new ProgramTime(Set.copyOf(tracer.programs()));
      full(WARM_UP);
      List<Load> pacedOff = new ArrayList<>();
      List<Load> pacedOn = new ArrayList<>();
      List<Load> fullOff = new ArrayList<>();
      List<Load> fullOn = new ArrayList<>();
      List<Double> micros = new ArrayList<>();
      List<Double> busyMicros = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        pacedOff.add(paced());
        fullOff.add(full(SECONDS));
        tracer.activate();
        pacedOn.add(paced());
        fullOn.add(full(SECONDS));
        time.start();
        long requests = paced().requests();
        micros.add(time.stop() / 1e3 / requests / HOPS);
        time.start();
        requests = full(SECONDS).requests();
        busyMicros.add(time.stop() / 1e3 / requests / HOPS);
        tracer.deactivate();
        System.out.printf(
            "round %d: %.2f µs a hop; 50 %%: %.0f and %.0f µs; 99 %%: %.0f and %.0f µs; %.0f and"
                + " %.0f requests a second%n",
            round + 1,
            micros.getLast(),
            pacedOff.getLast().median(),
            pacedOn.getLast().median(),
            pacedOff.getLast().tail(),
            pacedOn.getLast().tail(),
            fullOff.getLast().rate(),
            fullOn.getLast().rate());
      }
      System.out.printf("%nmedians of %d rounds, untraced and traced in turn:%n", rounds);
      System.out.printf(
          "time in the programs: %.2f µs a hop at saturation, %.2f at 2,000 a second (goal 6)%n",
          median(busyMicros, Double::doubleValue), median(micros, Double::doubleValue));
      print("latency, 50 %, at 2,000 a second, µs (goal 1.1)", pacedOff, pacedOn, Load::median);
      print("latency, 99 %, at 2,000 a second, µs (goal 1.1)", pacedOff, pacedOn, Load::tail);
      print("rate when paced", pacedOff, pacedOn, Load::rate);
      print("throughput at saturation, requests a second", fullOff, fullOn, Load::rate);
      long errors =
          List.of(pacedOff, pacedOn, fullOff, fullOn).stream()
              .flatMap(List::stream)
              .mapToLong(Load::errors)
              .sum();
      System.out.printf("requests that failed: %d%n", errors);
      tracer
          .counters()
          .forEach(
              (outcome, count) -> {
                if (count > 0) {
                  System.out.printf("%s %d%n", outcome, count);
                }
              });
      long lost = tracer.counters().getOrDefault(Outcome.EVENTS_LOST, 0L);
      System.out.printf("events lost: %d; bytes captured: %d%n", lost, bytes[0]);
    }
  }

  private Load paced() throws IOException, InterruptedException {
    return wrk(List.of("-t1", "-c" + CONNECTIONS, "-d" + SECONDS, "-s", pace.toString()));
  }

  private Load full(String duration) throws IOException, InterruptedException {
    return wrk(List.of("-t1", "-c" + CONNECTIONS, "-d" + duration));
  }

  private Load wrk(List<String> options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("wrk", "--latency"));
    command.addAll(options);
    command.add("http://127.0.0.1:" + port + "/outer");
    return Load.run(cgroup.command(command));
  }

  private static void print(
      String what, List<Load> off, List<Load> on, ToDoubleFunction<Load> value) {
    double without = median(off, value);
    double with = median(on, value);
    System.out.printf("%s: %.0f and %.0f, ratio %.3f%n", what, without, with, with / without);
  }

  private static <T> double median(List<T> values, ToDoubleFunction<T> value) {
    double[] sorted = values.stream().mapToDouble(value).sorted().toArray();
    return sorted[sorted.length / 2];
  }
}
