/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sennit profile}: attaches the agent to a JVM that runs, for a while. */
@Command(
    name = "profile",
    description = "Profiles a JVM that is running: attaches the agent to it, for a while.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  sennit profile 4711                            CPU time for 30 seconds",
      "  sennit profile 4711 --for 1m wall=20ms alloc   what it waits for, and what it allocates",
      "  sennit profile 4711 -o app.jfr && sennit convert app.jfr -o app.html",
      "  sennit profile 4711 --status                   whether it is profiled, and how",
      "  sennit profile 4711 --stop                     end what somebody left running",
      "",
      "A JVM that was not started with -XX:+EnableDynamicAgentLoading prints a warning of its own."
    })
final class ProfileCommand implements Callable<Integer> {
  private static final Duration USUAL = Duration.ofSeconds(30);
  private static final Duration STEP = Duration.ofSeconds(1);
  private static final String CLEAR = "\r\u001b[K";

  private final Terminal errors;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(index = "0", paramLabel = "PID", description = "The JVM to profile.")
  private int pid;

  @Parameters(
      index = "1..*",
      paramLabel = "OPTIONS",
      description =
          "What to measure, as the agent's options have it: cpu=10ms, wall=50ms, alloc, lock,"
              + " ctxstorage=otel... Default: cpu=10ms.")
  private List<String> options = List.of();

  @Option(
      names = "--for",
      paramLabel = "D",
      converter = DurationConverter.class,
      description = "How long, for example 500ms, 30s or 5m. Default: 30s; Ctrl-C ends it earlier.")
  private @Nullable Duration duration;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "The recording to write. Default: profile-PID.jfr in this folder.")
  private @Nullable Path output;

  @ArgGroup private Instead instead = new Instead();

  /** What can be done in place of profiling. */
  static final class Instead {
    @Option(
        names = "--status",
        description = "Only says whether the JVM is profiled, by whomever, and how.")
    private boolean status;

    @Option(
        names = "--stop",
        description = "Only ends the profile that runs in the JVM, whoever started it.")
    private boolean stop;

    @Nullable String command() {
      return status ? "status" : stop ? "stop" : null;
    }
  }

  ProfileCommand(Terminal errors) {
    this.errors = errors;
  }

  @Override
  public Integer call() {
    String command = instead.command();
    if (command != null) {
      return ask(command);
    }
    Path file =
        (output == null ? Path.of("profile-" + pid + ".jfr") : output).toAbsolutePath().normalize();
    if (file.toString().contains(",")) {
      throw CommandFailure.wrongInput(file + " has a comma in it, which separates options");
    }
    PrintWriter out = Commands.out(spec);
    try (Interruption interruption = Interruption.listen();
        AttachedAgent agent = AttachedAgent.attach(pid)) {
      agent.execute(startCommand(file));
      wait(interruption);
      agent.execute("stop");
    }
    if (!Files.isRegularFile(file)) {
      throw CommandFailure.notSo(
          "process " + pid + " was profiled, but its recording is not at " + file);
    }
    out.println(file);
    out.flush();
    return 0;
  }

  private int ask(String command) {
    if (duration != null || output != null || !options.isEmpty()) {
      throw CommandFailure.wrongInput(
          "--" + command + " starts no profile, and takes neither --for, -o nor options");
    }
    PrintWriter out = Commands.out(spec);
    try (AttachedAgent agent = AttachedAgent.attach(pid)) {
      agent.execute(command).lines().map(Printable::of).forEach(out::println);
    }
    out.flush();
    return 0;
  }

  private String startCommand(Path file) {
    List<String> command = new ArrayList<>(List.of("start"));
    command.addAll(options.isEmpty() ? List.of("cpu=10ms") : options);
    command.addAll(List.of("jfr", "file=" + file));
    return String.join(",", command);
  }

  private void wait(Interruption interruption) {
    PrintWriter err = Commands.err(spec);
    Duration left = duration == null ? USUAL : duration;
    while (left.isPositive() && Pids.isRunning(pid)) {
      if (errors.interactive()) {
        err.print(
            CLEAR + "profiling " + pid + ", " + left.toSeconds() + " s to go; Ctrl-C ends it");
        err.flush();
      }
      Duration step = left.compareTo(STEP) < 0 ? left : STEP;
      if (interruption.comesWithin(step)) {
        break;
      }
      left = left.minus(step);
    }
    if (errors.interactive()) {
      err.print(CLEAR);
      err.flush();
    }
    if (!Pids.isRunning(pid)) {
      throw CommandFailure.notSo("process " + pid + " has ended while it was profiled");
    }
  }
}
