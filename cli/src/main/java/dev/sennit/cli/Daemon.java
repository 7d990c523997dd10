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
import dev.sennit.cli.configuration.LocalSource;
import dev.sennit.cli.configuration.ObservationSource;
import dev.sennit.cli.configuration.Targets;
import dev.sennit.cli.local.LocalHost;
import dev.sennit.cli.local.LocalSettings;
import dev.sennit.cli.observation.HookUse;
import dev.sennit.cli.observation.Observation;
import dev.sennit.cli.observation.ObservationListener;
import dev.sennit.cli.observation.ObservationSettings;
import dev.sennit.kernel.Target;
import dev.sennit.kernel.libbpf.BpfException;
import dev.sennit.otlp.export.ExportSettings;
import dev.sennit.otlp.export.Signal;
import dev.sennit.store.database.StoreException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The long-running form of an observation. Signals become orders, which one thread carries out one
 * after the other.
 */
final class Daemon {
  private enum Order {
    RELOAD,
    SWITCH,
    END
  }

  /** What was read of the file, and found on the host. */
  private record Plan(Configuration configuration, Targets targets, ObservationSettings settings) {}

  private final Path file;
  private final Consumer<String> log;
  private final BlockingQueue<Order> orders = new LinkedBlockingQueue<>();

  Daemon(Path file, Consumer<String> log) {
    this.file = file;
    this.log = log;
  }

  /**
   * Observes until a signal ends it.
   *
   * @throws ConfigurationException if it cannot begin
   */
  void run() throws ConfigurationException, IOException {
    Configuration configuration = ConfigurationReader.read(file);
    boolean active = !configuration.get(Keys.HOOK_ON_DEMAND);
    Plan plan = plan(configuration, active);
    if (!plan.targets.missing().isEmpty()) {
      throw new ConfigurationException(plan.targets.missing());
    }
    if (configuration.get(Keys.HOOK_ENABLED) && plan.targets.found().isEmpty()) {
      throw new ConfigurationException(
          configuration.place(Keys.PIDS), "nobody is named, here or in " + Keys.CGROUPS);
    }
    Signals.on(Signals.Signal.TERM, () -> orders.add(Order.END));
    Signals.on(Signals.Signal.INT, () -> orders.add(Order.END));
    Signals.on(Signals.Signal.HUP, () -> orders.add(Order.RELOAD));
    Signals.on(Signals.Signal.USR1, () -> orders.add(Order.SWITCH));
    Optional<LocalSettings> here = LocalSource.read(configuration, StoreOption.byDefault());
    try (@Nullable LocalHost host = here.isPresent() ? open(here.get(), configuration) : null) {
      observe(plan, host, active);
    }
  }

  private void observe(Plan plan, @Nullable LocalHost host, boolean active)
      throws ConfigurationException, IOException {
    Observation observation = start(plan, host == null ? ObservationListener.NONE : host);
    try (OwnMetrics metrics = new OwnMetrics(observation, true, log);
        observation;
        JvmAgents agents = new JvmAgents(observation, Optional.ofNullable(host), log)) {
      metrics.change(plan.configuration);
      agents.change(plan.configuration, plan.targets.found());
      log.accept(describe(observation, metrics, plan, active));
      if (host != null) {
        log.accept(host.describe());
      }
      obey(observation, metrics, agents, plan.configuration, active);
    }
    log.accept("ended: " + ObservationReport.of(observation, host == null ? 0 : host.dropped()));
  }

  private LocalHost open(LocalSettings here, Configuration configuration)
      throws ConfigurationException {
    try {
      return LocalHost.open(
          here,
          new PublishedProcesses(),
          ExportSource.read(configuration, Signal.PROFILES, System::getenv, log),
          log);
    } catch (IllegalArgumentException | IOException | StoreException e) {
      throw new ConfigurationException(ExportSource.explain(configuration, e));
    }
  }

  private Observation start(Plan plan, ObservationListener listener) throws ConfigurationException {
    try {
      return Observation.start(plan.settings, plan.targets.found(), listener, log);
    } catch (IllegalArgumentException | IOException e) {
      throw new ConfigurationException(ExportSource.explain(plan.configuration, e));
    }
  }

  private void obey(
      Observation observation,
      OwnMetrics metrics,
      JvmAgents agents,
      Configuration first,
      boolean activeFirst) {
    Configuration configuration = first;
    boolean active = activeFirst;
    while (true) {
      switch (next()) {
        case END -> {
          return;
        }
        case SWITCH -> active = switchOver(observation, configuration, active);
        case RELOAD -> {
          try {
            Configuration changed = ConfigurationReader.read(file);
            boolean onDemand = changed.get(Keys.HOOK_ON_DEMAND);
            boolean then = onDemand == configuration.get(Keys.HOOK_ON_DEMAND) ? active : !onDemand;
            Plan plan = plan(changed, then);
            reload(observation, metrics, plan, configuration, then);
            agents.change(changed, plan.targets.found());
            if (!LocalSource.isSame(configuration, changed)) {
              log.accept("store, page and receive stay as they were until the next start");
            }
            configuration = changed;
            active = then;
          } catch (ConfigurationException e) {
            log.accept(e.line() + "; the settings stay as they were");
          } catch (IOException e) {
            log.accept(file + ": " + e.getMessage() + "; the settings stay as they were");
          }
        }
      }
    }
  }

  private Order next() {
    try {
      return orders.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Order.END;
    }
  }

  private boolean switchOver(Observation observation, Configuration configuration, boolean active) {
    if (!configuration.get(Keys.HOOK_ON_DEMAND)) {
      log.accept("SIGUSR1 switches nothing, for " + Keys.HOOK_ON_DEMAND + " is false");
      return active;
    }
    try {
      observation.setActive(!active);
      log.accept(active ? "switched off" : "switched on: " + observation.describe());
      return !active;
    } catch (BpfException | IOException e) {
      log.accept("cannot be switched on: " + e.getMessage());
      return active;
    }
  }

  private void reload(
      Observation observation, OwnMetrics metrics, Plan plan, Configuration before, boolean active)
      throws ConfigurationException, IOException {
    plan.targets.missing().forEach(line -> log.accept(line + "; it is left out"));
    metrics.change(plan.configuration);
    try {
      observation.change(plan.settings, plan.targets.found());
    } catch (IllegalArgumentException | IOException e) {
      metrics.change(before);
      throw new ConfigurationException(ExportSource.explain(plan.configuration, e));
    }
    log.accept("reloaded " + file + ": " + describe(observation, metrics, plan, active));
  }

  private Plan plan(Configuration configuration, boolean active)
      throws ConfigurationException, IOException {
    Optional<ExportSettings> spans =
        ExportSource.read(configuration, Signal.TRACES, System::getenv, log);
    Optional<ExportSettings> logs =
        ExportSource.read(configuration, Signal.LOGS, System::getenv, log);
    Targets targets =
        configuration.get(Keys.HOOK_ENABLED)
            ? Targets.of(configuration)
            : new Targets(List.of(), List.of());
    return new Plan(
        configuration,
        targets,
        ObservationSource.read(configuration, HookUse.IF_POSSIBLE, active, spans, logs));
  }

  private static String describe(
      Observation observation, OwnMetrics metrics, Plan plan, boolean active) {
    List<Target> targets = plan.targets.found();
    long cgroups = targets.stream().filter(Target.OfCgroup.class::isInstance).count();
    return (active ? "observing " : "dormant until SIGUSR1, then observing ")
        + count(cgroups, "cgroup", "cgroups")
        + " and "
        + count(targets.size() - cgroups, "process", "processes")
        + ": "
        + observation.describe()
        + "; "
        + plan.settings
            .export()
            .map(export -> "spans go to " + origin(export.endpoint()))
            .orElse("spans are not exported")
        + metrics.url().map(url -> "; metrics at " + url).orElse("");
  }

  private static String count(long number, String one, String several) {
    return number + " " + (number == 1 ? one : several);
  }

  private static String origin(URI endpoint) {
    return endpoint.getScheme() + "://" + endpoint.getRawAuthority();
  }
}
