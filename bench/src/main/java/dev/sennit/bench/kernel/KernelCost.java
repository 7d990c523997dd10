/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.kernel;

import dev.sennit.bench.NumberOption;
import dev.sennit.context.inbound.DescriptorSocket;
import dev.sennit.kernel.Cgroup;
import dev.sennit.kernel.InboundMap;
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
import java.util.Collections;
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
  private final InboundMap inbound;
  private int port;

  /** Of one that is the same: how much two that are the same differ here. */
  private int portOfTwin;

  private int portWithAgent;

  private KernelCost(Cgroup cgroup, Path pace, InboundMap inbound) {
    this.cgroup = cgroup;
    this.pace = pace;
    this.inbound = inbound;
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
    Path socket = folder.resolve("inbound-" + ProcessHandle.current().pid());
    try (InboundMap inbound = InboundMap.create();
        DescriptorSocket _ = inbound.handOut(socket, pid -> true)) {
      KernelCost cost = new KernelCost(cgroup, pace, inbound);
      cost.port = start(cgroup, nodes, List.of());
      cost.portOfTwin = start(cgroup, nodes, List.of());
      Path agent = folder.resolve("../../../agent/target/sennit-agent.jar").normalize();
      cost.portWithAgent =
          start(cgroup, nodes, List.of("-javaagent:" + agent + "=inbound=" + socket));
      cost.run(rounds);
    } finally {
      for (Process node : nodes) {
        node.destroyForcibly().waitFor();
      }
      cgroup.remove();
    }
  }

  /** Starts a service and the gateway before it; the result is where the gateway listens. */
  private static int start(Cgroup cgroup, List<Process> nodes, List<String> options)
      throws IOException {
    int service = start(cgroup, nodes, options, List.of());
    return start(cgroup, nodes, options, List.of(Integer.toString(service)));
  }

  private static int start(
      Cgroup cgroup, List<Process> nodes, List<String> options, List<String> arguments)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), HttpNode.class.getName()));
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
            event -> bytes[0] += event.captured(),
            inbound)) {
      ProgramTime time = new ProgramTime(Set.copyOf(tracer.programs()));
      full(WARM_UP);
      full(WARM_UP, portOfTwin);
      full(WARM_UP, portWithAgent);
      List<Load> fullAgent = new ArrayList<>();
      List<Load> fullTwin = new ArrayList<>();
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
        // Each is first, second and third as often as the others.
        for (int turn = 0; turn < 3; turn++) {
          switch ((round + turn) % 3) {
            case 0 -> fullOn.add(full(SECONDS));
            case 1 -> fullTwin.add(full(SECONDS, portOfTwin));
            default -> fullAgent.add(full(SECONDS, portWithAgent));
          }
        }
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
      printRatios("the same traced, with hand-off beside without (goal 0.97)", fullAgent, fullOn);
      printRatios("the same traced, two without hand-off, to see the noise", fullTwin, fullOn);
      long errors =
          List.of(pacedOff, pacedOn, fullOff, fullOn, fullAgent, fullTwin).stream()
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
    return wrk(List.of("-t1", "-c" + CONNECTIONS, "-d" + SECONDS, "-s", pace.toString()), port);
  }

  private Load full(String duration) throws IOException, InterruptedException {
    return full(duration, port);
  }

  private Load full(String duration, int target) throws IOException, InterruptedException {
    return wrk(List.of("-t1", "-c" + CONNECTIONS, "-d" + duration), target);
  }

  private Load wrk(List<String> options, int target) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("wrk", "--latency"));
    command.addAll(options);
    command.add("http://127.0.0.1:" + target + "/outer");
    return Load.run(cgroup.command(command));
  }

  private static void print(
      String what, List<Load> off, List<Load> on, ToDoubleFunction<Load> value) {
    double without = median(off, value);
    double with = median(on, value);
    System.out.printf("%s: %.0f and %.0f, ratio %.3f%n", what, without, with, with / without);
  }

  /** Of each round by itself, for the machine is not as fast in all of them. */
  private static void printRatios(String what, List<Load> one, List<Load> other) {
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < one.size(); round++) {
      ratios.add(one.get(round).rate() / other.get(round).rate());
    }
    System.out.printf(
        "%s: %.3f (%.3f..%.3f)%n",
        what,
        median(ratios, Double::doubleValue),
        Collections.min(ratios),
        Collections.max(ratios));
  }

  private static <T> double median(List<T> values, ToDoubleFunction<T> value) {
    double[] sorted = values.stream().mapToDouble(value).sorted().toArray();
    return sorted[sorted.length / 2];
  }
}
