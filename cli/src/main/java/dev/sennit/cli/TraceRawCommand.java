/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.kernel.Cgroup;
import dev.sennit.kernel.KernelTracer;
import dev.sennit.kernel.Target;
import dev.sennit.kernel.TracerSettings;
import dev.sennit.kernel.libbpf.BpfException;
import dev.sennit.kernel.libbpf.BpfObject;
import dev.sennit.kernel.ring.Outcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sennit trace-raw}: what the programs in the kernel see of a command, event by event. */
@Command(
    name = "trace-raw",
    description = {
      "Runs a command and prints what the kernel's programs see of it: a line for each event, and"
          + " at the end how often each outcome came. For finding out why something was, or was"
          + " not, traced."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sennit trace-raw -- curl http://localhost:8080/",
      "  sennit trace-raw -o events.txt --start-traces -- ./service"
    })
final class TraceRawCommand implements Callable<Integer> {
  private static final Duration FOR_EVER = Duration.ofDays(36_500);
  private static final Duration GLANCE = Duration.ofMillis(50);

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Where the events go. Default: standard error.")
  private @Nullable Path output;

  @Option(
      names = "--for",
      paramLabel = "D",
      converter = DurationConverter.class,
      description = "Ends the command after this time, for example 30s. Default: when it ends.")
  private Duration duration = FOR_EVER;

  @Option(
      names = "--start-traces",
      description = "Starts a trace with requests that belong to none, so that all get a header.")
  private boolean startTraces;

  @Option(names = "--http2", description = "Puts it into requests of HTTP/2 and gRPC, too.")
  private boolean http2;

  @Option(names = "--baggage", description = "Passes the baggage of requests on.")
  private boolean baggage;

  @Option(names = "--no-inject", description = "Only looks: puts nothing into requests.")
  private boolean noInject;

  @Option(
      names = "--capture",
      paramLabel = "BYTES",
      description = "How much of a message is captured, up to 16384. Default: 4096.")
  private int capture = TracerSettings.defaults().capture();

  @Parameters(paramLabel = "COMMAND", arity = "1..*", description = "What to run.")
  private List<String> command = List.of();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    if (!BpfObject.isSupported()) {
      throw CommandFailure.wrongInput(
          BpfObject.library() + " is missing; on Debian: apt-get install libbpf1");
    }
    TracerSettings settings;
    try {
      settings =
          new TracerSettings.Builder()
              .inject(!noInject)
              .startTraces(startTraces)
              .http2(http2)
              .baggage(baggage)
              .capture(capture)
              .build();
    } catch (IllegalArgumentException e) {
      throw CommandFailure.wrongInput(String.valueOf(e.getMessage()));
    }
    try {
      return run(settings);
    } catch (IOException | BpfException e) {
      throw TracingRights.failure("trace-raw", e);
    }
  }

  private int run(TracerSettings settings) throws IOException {
    if (output == null) {
      // It stays open: what goes wrong after the last event is still to be said there.
      return run(settings, Commands.err(spec));
    }
    try (PrintWriter out = open(output)) {
      return run(settings, out);
    }
  }

  private static PrintWriter open(Path file) {
    try {
      return new PrintWriter(Files.newBufferedWriter(file));
    } catch (IOException e) {
      String problem = e instanceof NoSuchFileException ? "there is no such folder" : "" + e;
      throw CommandFailure.wrongInput(file + ": it cannot be written: " + problem);
    }
  }

  private int run(TracerSettings settings, PrintWriter out) throws IOException {
    Cgroup cgroup = ObservedCommand.prepare();
    Map<Outcome, Long> counts;
    int status;
    try (KernelTracer tracer = start(settings, cgroup, out);
        Interruption interruption = Interruption.listen();
        ObservedCommand observed = ObservedCommand.start(cgroup, command)) {
      long end = System.nanoTime() + duration.toNanos();
      while (!observed.endsWithin(GLANCE)
          && System.nanoTime() < end
          && !interruption.comesWithin(Duration.ZERO)) {
        // Both are asked again.
      }
      status = observed.status();
      counts = tracer.counters();
    }
    print(counts, out);
    return status;
  }

  private static KernelTracer start(TracerSettings settings, Cgroup cgroup, PrintWriter out)
      throws IOException {
    try {
      return KernelTracer.start(settings, List.of(new Target.OfCgroup(cgroup)), new RawEvents(out));
    } catch (IOException | RuntimeException e) {
      cgroup.remove();
      throw e;
    }
  }

  private static void print(Map<Outcome, Long> counts, PrintWriter out) {
    Table table = new Table("OUTCOME", "COUNT");
    counts.forEach(
        (outcome, count) -> {
          if (count > 0) {
            table.add(outcome.name().toLowerCase(Locale.ROOT), Long.toString(count));
          }
        });
    table.lines().forEach(out::println);
  }
}
