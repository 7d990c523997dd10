/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.cli.observation.Observation;
import dev.sennit.cli.observation.ObservationSettings;
import dev.sennit.cli.observation.Protocols;
import dev.sennit.kernel.Cgroup;
import dev.sennit.kernel.Target;
import dev.sennit.kernel.TracerSettings;
import dev.sennit.kernel.libbpf.BpfException;
import dev.sennit.kernel.libbpf.BpfObject;
import dev.sennit.kernel.ring.Outcome;
import dev.sennit.otlp.export.ExportSettings;
import dev.sennit.otlp.export.Signal;
import dev.sennit.tracing.connection.ConnectionLimits;
import dev.sennit.tracing.span.SpanCount;
import dev.sennit.tracing.span.SpanSettings;
import dev.sennit.tracing.stitch.StitcherSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sennit run}: runs a command, sees its requests, and makes traces of them. */
@Command(
    name = "run",
    description = {
      "Runs a command, and all that it starts, under observation: every request that it serves or"
          + " sends becomes a span, and requests that it sends carry the trace on.",
      "",
      "The command has the input, the output and the exit status that it has without. JVMs get an"
          + " agent that publishes what their threads are doing."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sennit run --otlp http://localhost:4318 -- java -jar shop.jar",
      "  sennit run --for 30s -- ./start-everything.sh"
    })
final class RunCommand implements Callable<Integer> {
  private static final Duration GLANCE = Duration.ofMillis(50);

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--for",
      paramLabel = "D",
      converter = DurationConverter.class,
      description = "Ends the command after this time, for example 30s. Default: when it ends.")
  private @Nullable Duration duration;

  @Mixin private OtlpOptions otlp = new OtlpOptions();

  @Option(
      names = "--sample",
      paramLabel = "RATIO",
      description = "The share of new traces that is kept, 0 to 1. Default: 1.")
  private double sample = 1;

  @Option(names = "--no-agent", description = "Gives JVMs no agent.")
  private boolean noAgent;

  @Option(names = "--no-inject", description = "Only looks: puts nothing into requests.")
  private boolean noInject;

  @Option(
      names = "--no-start-traces",
      description =
          "Puts nothing into requests that belong to no request; they are traces of their own.")
  private boolean noStartTraces;

  @Option(
      names = "--http2",
      description = "Puts traceparent into requests of HTTP/2 and gRPC, too.")
  private boolean http2;

  @Parameters(paramLabel = "COMMAND", arity = "1..*", description = "What to run.")
  private List<String> command = List.of();

  @Override
  public Integer call() throws IOException {
    PrintWriter err = Commands.err(spec);
    if (!BpfObject.isSupported()) {
      throw CommandFailure.wrongInput(
          BpfObject.library() + " is missing; on Debian: apt-get install libbpf1");
    }
    Optional<ExportSettings> export =
        otlp.read(Signal.TRACES, line -> err.println("sennit: " + Printable.of(line)));
    ObservationSettings settings = settings(export);
    Path agent = noAgent ? null : AgentFile.find();
    Cgroup cgroup = ObservedCommand.prepare();
    Observation observation = observe(settings, cgroup, err);
    int status;
    try (observation) {
      status = run(cgroup, agent);
    }
    report(observation, err);
    return status;
  }

  private ObservationSettings settings(Optional<ExportSettings> export) {
    try {
      TracerSettings tracer =
          new TracerSettings.Builder()
              .inject(!noInject)
              .startTraces(!noStartTraces)
              .http2(http2)
              .sampleRatio(sample)
              .logs(false)
              .build();
      return new ObservationSettings(
          tracer,
          true,
          Protocols.all(),
          ConnectionLimits.DEFAULT,
          new SpanSettings(sample, SpanSettings.Doubled.DROP),
          StitcherSettings.defaults(),
          export);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.wrongInput(String.valueOf(e.getMessage()));
    }
  }

  private static Observation observe(ObservationSettings settings, Cgroup cgroup, PrintWriter err)
      throws IOException {
    try {
      return Observation.start(
          settings,
          List.of(new Target.OfCgroup(cgroup)),
          span -> {},
          line -> err.println("sennit: " + Printable.of(line)));
    } catch (BpfException e) {
      cgroup.remove();
      throw CommandFailure.wrongInput(String.valueOf(e.getMessage()));
    } catch (IOException | RuntimeException e) {
      cgroup.remove();
      throw e;
    }
  }

  private int run(Cgroup cgroup, @Nullable Path agent) throws IOException {
    List<String> changed = agent == null ? command : JavaCommands.withAgent(command, agent);
    try (ObservedCommand observed =
        ObservedCommand.start(
            cgroup,
            changed,
            environment -> {
              if (agent != null) {
                JavaCommands.addAgent(command, agent, environment);
              }
            })) {
      for (Signals.Signal signal : Signals.Signal.values()) {
        Signals.on(signal, () -> observed.signal(signal));
      }
      Duration limit = duration;
      long begin = System.nanoTime();
      while (!observed.endsWithin(GLANCE)) {
        if (limit != null && System.nanoTime() - begin >= limit.toNanos()) {
          return 0;
        }
      }
      return observed.status();
    }
  }

  private static void report(Observation observation, PrintWriter err) {
    long lost = observation.kernelCounters().getOrDefault(Outcome.EVENTS_LOST, 0L);
    long servers = observation.spanCounters().getOrDefault(SpanCount.SERVER, 0L);
    long clients = observation.spanCounters().getOrDefault(SpanCount.CLIENT, 0L);
    StringBuilder line = new StringBuilder("sennit: ");
    line.append(servers).append(" requests served, ").append(clients).append(" sent");
    observation
        .exportCounters()
        .ifPresentOrElse(
            counters -> {
              line.append("; ").append(observation.spans()).append(" spans");
              if (counters.queued() > 0) {
                line.append(", of which ")
                    .append(counters.queued())
                    .append(" requests wait on disk");
              }
              if (counters.droppedInAll() > 0) {
                line.append(", ").append(counters.droppedInAll()).append(" requests dropped");
              }
              counters.lastError().ifPresent(error -> line.append("; last error: ").append(error));
            },
            () -> line.append("; nothing is exported without --otlp"));
    if (lost > 0) {
      line.append("; ").append(lost).append(" events lost");
    }
    err.println(Printable.of(line.toString()));
    err.flush();
  }
}
