/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.cli.configuration.Configuration;
import dev.sennit.cli.configuration.ConfigurationException;
import dev.sennit.cli.configuration.ConfigurationReader;
import dev.sennit.cli.configuration.ExportSource;
import dev.sennit.cli.configuration.Keys;
import dev.sennit.cli.configuration.ObservationSource;
import dev.sennit.cli.local.LocalHost;
import dev.sennit.cli.local.LocalSettings;
import dev.sennit.cli.observation.HookUse;
import dev.sennit.cli.observation.Observation;
import dev.sennit.cli.observation.ObservationListener;
import dev.sennit.cli.observation.ObservationSettings;
import dev.sennit.kernel.Cgroup;
import dev.sennit.kernel.Target;
import dev.sennit.kernel.libbpf.BpfException;
import dev.sennit.kernel.libbpf.BpfObject;
import dev.sennit.otlp.export.ExportSettings;
import dev.sennit.otlp.export.Signal;
import dev.sennit.store.database.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
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
          + " sends becomes a span, requests that it sends carry the trace on, lines that it logs"
          + " get the trace in which they were written, and JVMs are profiled. A page shows it"
          + " while it happens, and a summary at the end.",
      "",
      "The command has the input, the output and the exit status that it has without. JVMs get an"
          + " agent that publishes what their threads are doing, and samples them."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sennit run -- java -jar shop.jar",
      "  sennit run --page off --otlp http://collector:4318 -- java -jar shop.jar",
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

  @Mixin private PageOptions page = new PageOptions();

  @Option(
      names = "--no-store",
      description =
          "Keeps nothing here: no page, no summary, no samples of JVMs. For what goes to a"
              + " collector at higher rates than a store takes, some 20,000 spans and lines a"
              + " second.")
  private boolean noStore;

  @Mixin private OtlpOptions otlp = new OtlpOptions();

  @Option(
      names = "--sample",
      paramLabel = "RATIO",
      description = "The share of new traces that is kept, 0 to 1. Default: 1.")
  private @Nullable Double sample;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Further settings, as sennit daemon --print-config prints them, but for targets and"
              + " hook.on_demand. Options win over it.")
  private @Nullable Path config;

  @Option(names = "--no-agent", description = "Gives JVMs no agent.")
  private boolean noAgent;

  @Option(
      names = "--profile",
      paramLabel = "EVENTS",
      description =
          "What is sampled in JVMs, as the agent's options have it. Default: ${DEFAULT-VALUE}.")
  private String profile = AgentUse.USUAL_EVENTS;

  @Option(names = "--no-profile", description = "Samples nothing in JVMs.")
  private boolean noProfile;

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
    Consumer<String> log = line -> err.println("sennit: " + Printable.of(line));
    try {
      return run(configuration(), log);
    } catch (ConfigurationException e) {
      throw CommandFailure.wrongInput(e.line());
    } catch (AccessDeniedException e) {
      throw TracingRights.failure("run", e);
    } finally {
      err.flush();
    }
  }

  private int run(Configuration configuration, Consumer<String> log)
      throws ConfigurationException, IOException {
    if (configuration.get(Keys.HOOK_ENABLED) && !BpfObject.isSupported()) {
      throw CommandFailure.wrongInput(
          BpfObject.library() + " is missing; on Debian: apt-get install libbpf1");
    }
    ObservationSettings settings = settings(configuration, log);
    LocalSettings here = page.settings();
    @Nullable Path agent = noAgent ? null : AgentFile.find();
    Cgroup cgroup = prepare();
    try (@Nullable LocalHost host = noStore ? null : open(here, configuration, cgroup, log)) {
      ObservationListener listener = host == null ? ObservationListener.NONE : host;
      Observation observation = observe(configuration, settings, cgroup, listener, log);
      if (host != null) {
        host.page().ifPresent(link -> log.accept("the page is at " + link));
      }
      int status;
      try (OwnMetrics metrics = new OwnMetrics(observation, false, log);
          observation) {
        try {
          metrics.change(configuration);
        } catch (ConfigurationException | IOException | RuntimeException e) {
          cgroup.remove();
          throw e;
        }
        status = run(cgroup, agent == null ? null : use(agent, observation, host));
      }
      log.accept(ObservationReport.of(observation, host == null ? 0 : host.dropped()));
      if (host != null) {
        SummaryText.of(host).forEach(log);
      }
      return status;
    }
  }

  private static Cgroup prepare() throws IOException {
    try {
      return ObservedCommand.prepare();
    } catch (AccessDeniedException e) {
      throw e;
    } catch (FileSystemException e) {
      throw CommandFailure.wrongInput("a cgroup for the command cannot be made: " + e.getMessage());
    }
  }

  private static LocalHost open(
      LocalSettings here, Configuration configuration, Cgroup cgroup, Consumer<String> log)
      throws ConfigurationException, IOException {
    try {
      return LocalHost.open(
          here,
          new PublishedProcesses(),
          ExportSource.read(configuration, Signal.PROFILES, System::getenv, log),
          log);
    } catch (StoreException e) {
      cgroup.remove();
      throw CommandFailure.wrongInput(String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException | IOException e) {
      cgroup.remove();
      throw CommandFailure.wrongInput(ExportSource.explain(configuration, e));
    } catch (ConfigurationException | RuntimeException e) {
      cgroup.remove();
      throw e;
    }
  }

  private AgentUse use(Path agent, Observation observation, @Nullable LocalHost host) {
    return new AgentUse(
        agent,
        observation.inboundSocket(),
        noProfile || host == null
            ? Optional.empty()
            : Optional.of(new AgentUse.Profiling(profile, host.otlp())));
  }

  private Configuration configuration() throws ConfigurationException {
    Configuration configuration =
        config == null
            ? Configuration.defaults().with(Keys.GUESS_ROUTE, true, "run")
            : ConfigurationReader.read(config);
    if (sample != null) {
      configuration = configuration.with(Keys.SAMPLING_RATIO, sample, "--sample");
    }
    if (noInject) {
      configuration = configuration.with(Keys.HOOK_INJECT, false, "--no-inject");
    }
    if (noStartTraces) {
      configuration = configuration.with(Keys.HOOK_START_TRACES, false, "--no-start-traces");
    }
    if (http2) {
      configuration = configuration.with(Keys.HOOK_HTTP2, true, "--http2");
    }
    return otlp.over(configuration);
  }

  private static ObservationSettings settings(Configuration configuration, Consumer<String> log)
      throws ConfigurationException {
    Optional<ExportSettings> spans =
        ExportSource.read(configuration, Signal.TRACES, System::getenv, log);
    Optional<ExportSettings> logs =
        ExportSource.read(configuration, Signal.LOGS, System::getenv, log);
    try {
      return ObservationSource.read(configuration, HookUse.REQUIRED, true, spans, logs);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.wrongInput(String.valueOf(e.getMessage()));
    }
  }

  private static Observation observe(
      Configuration configuration,
      ObservationSettings settings,
      Cgroup cgroup,
      ObservationListener listener,
      Consumer<String> log)
      throws IOException {
    try {
      return Observation.start(settings, List.of(new Target.OfCgroup(cgroup)), listener, log);
    } catch (BpfException | IllegalArgumentException | IOException e) {
      cgroup.remove();
      throw TracingRights.isDenied(e)
          ? TracingRights.failure("run", e)
          : CommandFailure.wrongInput(ExportSource.explain(configuration, e));
    } catch (RuntimeException e) {
      cgroup.remove();
      throw e;
    }
  }

  private int run(Cgroup cgroup, @Nullable AgentUse use) throws IOException {
    List<String> changed = use == null ? command : JavaCommands.withAgent(command, use);
    PassedSignals signals = new PassedSignals();
    try (ObservedCommand observed =
        ObservedCommand.start(
            cgroup,
            changed,
            environment -> {
              if (use != null) {
                JavaCommands.addAgent(command, use, environment);
              }
            })) {
      signals.passTo(observed::signal);
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
}
