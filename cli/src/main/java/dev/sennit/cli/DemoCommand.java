/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.cli.configuration.Configuration;
import dev.sennit.cli.configuration.Keys;
import dev.sennit.cli.configuration.ObservationSource;
import dev.sennit.cli.demo.Customers;
import dev.sennit.cli.demo.DemoCheck;
import dev.sennit.cli.demo.Shop;
import dev.sennit.cli.local.LocalHost;
import dev.sennit.cli.observation.HookUse;
import dev.sennit.cli.observation.Observation;
import dev.sennit.kernel.Cgroup;
import dev.sennit.kernel.Target;
import dev.sennit.kernel.libbpf.BpfException;
import dev.sennit.kernel.libbpf.BpfObject;
import dev.sennit.store.database.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sennit demo}: a shop that nobody instrumented, its customers, and the page. */
@Command(
    name = "demo",
    description = {
      "Opens a small shop, lets customers in, and shows on a page what is seen of it: traces, flame"
          + " graphs, log lines. Nothing in the shop is instrumented.",
      "",
      "The shop is a gateway in Java on platform threads, orders in Java on virtual threads, prices"
          + " in Python or Node, and a database. It has a slow, a failing and a hungry part: /slow,"
          + " /fail and /report. Without root there are profiles only."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sudo sennit demo                until Ctrl-C; open the address that it prints",
      "  sudo sennit demo --check        twenty seconds, then what was seen, and whether it is"
          + " enough"
    })
final class DemoCommand implements Callable<Integer> {
  private static final Duration CHECK = Duration.ofSeconds(20);

  /** Longer than the agents take for a piece of their recordings. */
  private static final Duration GLANCE = Duration.ofMillis(100);

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--for",
      paramLabel = "D",
      converter = DurationConverter.class,
      description = "Ends after this time, for example 30s. Default: with Ctrl-C.")
  private @Nullable Duration duration;

  @Option(
      names = "--check",
      description =
          "Runs for 20 seconds, prints what was seen, and ends with status 1 if that is too"
              + " little.")
  private boolean check;

  @Mixin private PageOptions page = new PageOptions();

  @Override
  public Integer call() throws IOException {
    PrintWriter err = Commands.err(spec);
    Consumer<String> log =
        line -> {
          err.println("sennit: " + Printable.of(line));
          err.flush();
        };
    Path agent = AgentFile.find();
    Path folder = Files.createTempDirectory("sennit-demo-");
    try (LocalHost host =
        LocalHost.open(page.settings(), new PublishedProcesses(), Optional.empty(), log)) {
      return run(host, agent, folder, log);
    } catch (StoreException e) {
      throw CommandFailure.wrongInput(String.valueOf(e.getMessage()));
    } finally {
      remove(folder);
    }
  }

  private int run(LocalHost host, Path agent, Path folder, Consumer<String> log)
      throws IOException {
    @Nullable Cgroup cgroup = cgroup(log);
    if (cgroup == null) {
      return show(host, null, null, agent, folder, log);
    }
    try {
      @Nullable Observation observation = observe(host, cgroup, log);
      try (observation) {
        return show(host, cgroup, observation, agent, folder, log);
      }
    } finally {
      ObservedCommand.leave(cgroup);
    }
  }

  /** Null where the kernel's part is left out. */
  private static @Nullable Cgroup cgroup(Consumer<String> log) {
    try {
      if (BpfObject.isSupported()) {
        return ObservedCommand.prepare();
      }
      log.accept(BpfObject.library() + " is missing: no traces and no lines, profiles only");
    } catch (IOException e) {
      log.accept("no traces and no lines, profiles only: " + TracingRights.line("demo", e));
    } catch (CommandFailure e) {
      log.accept("no traces and no lines, profiles only: " + e.getMessage());
    }
    return null;
  }

  private static @Nullable Observation observe(
      LocalHost host, Cgroup cgroup, Consumer<String> log) {
    try {
      return Observation.start(
          ObservationSource.read(
              Configuration.defaults().with(Keys.GUESS_ROUTE, true, "demo"),
              HookUse.REQUIRED,
              true,
              Optional.empty(),
              Optional.empty()),
          List.of(new Target.OfCgroup(cgroup)),
          host,
          log);
    } catch (BpfException | IOException e) {
      log.accept("no traces and no lines, profiles only: " + TracingRights.line("demo", e));
      return null;
    }
  }

  private int show(
      LocalHost host,
      @Nullable Cgroup cgroup,
      @Nullable Observation observation,
      Path agent,
      Path folder,
      Consumer<String> log)
      throws IOException {
    AgentUse use =
        new AgentUse(
            agent,
            observation == null ? Optional.empty() : observation.inboundSocket(),
            Optional.of(new AgentUse.Profiling(AgentUse.USUAL_EVENTS, host.otlp())));
    List<Customers.Visit> visits;
    try (Interruption interruption = Interruption.listen()) {
      try (Shop shop =
              Shop.open(
                  command -> cgroup == null ? command : cgroup.command(command),
                  folder,
                  JavaCommands.options(use));
          Customers customers = Customers.of(shop)) {
        shop.absent().forEach(log);
        log.accept("the shop is open, and customers come in");
        host.page()
            .ifPresentOrElse(
                link -> log.accept("look at it: " + link),
                () -> log.accept("there is no page, for --page is off"));
        await(interruption, check ? CHECK : duration);
        visits = customers.visits();
      }
      // The JVMs have sent their last samples; what the kernel has told follows.
      if (observation != null) {
        observation.close();
        log.accept(ObservationReport.of(observation, host.dropped()));
      }
      SummaryText.of(host).forEach(log);
      return check ? report(host, visits, observation != null) : 0;
    }
  }

  private static void await(Interruption interruption, @Nullable Duration limit) {
    long begin = System.nanoTime();
    while (!interruption.comesWithin(GLANCE)) {
      if (limit != null && System.nanoTime() - begin >= limit.toNanos()) {
        return;
      }
    }
  }

  private int report(LocalHost host, List<Customers.Visit> visits, boolean traced) {
    List<DemoCheck.Figure> figures = DemoCheck.of(host.queries(), visits, traced);
    Table table = new Table("", "SEEN", "WANTED", "");
    for (DemoCheck.Figure figure : figures) {
      table.add(
          figure.name(), figure.value(), figure.wanted(), figure.isReached() ? "ok" : "too little");
    }
    PrintWriter out = Commands.out(spec);
    table.lines().forEach(out::println);
    out.flush();
    return figures.stream().allMatch(DemoCheck.Figure::isReached) ? 0 : CommandFailure.NOT_SO;
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
