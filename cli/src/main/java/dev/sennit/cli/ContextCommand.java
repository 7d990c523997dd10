/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.context.memory.Proc;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.reader.ProcessContextReader;
import dev.sennit.context.reader.ProcessReading;
import dev.sennit.context.reader.ThreadReading;
import dev.sennit.context.reader.ThreadRecordReader;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sennit context}: the records of one process. */
@Command(
    name = "context",
    description = "Shows who a process is and, if asked, what its threads are doing.",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:what was asked for was shown",
      "1:the process publishes no context, or none that is well-formed, or its threads cannot be"
          + " read from outside",
      "2:there is no such process, or it may not be read"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sennit context 4711                     who is process 4711?",
      "  sennit context 4711 --threads --watch   and what is it doing, as it changes",
      "  sennit context 4711 --json | jq -r '.process.resource[\"service.name\"]'"
    })
final class ContextCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "PID", description = "The process.")
  private int pid;

  @Option(names = "--threads", description = "Also the threads that are in a span.")
  private boolean withThreads;

  @Option(
      names = "--watch",
      description =
          "Go on until Ctrl-C or until the process ends: in place on a terminal, one block after"
              + " the other in a pipe. Ten times a second; once a second where threads must be"
              + " stopped to be read, or without --threads.")
  private boolean watch;

  @Option(
      names = "--json",
      description = "One JSON document; with --watch, one for each refresh, each on its own line.")
  private boolean json;

  ContextCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (pid <= 0) {
      throw CommandFailure.wrongInput("PID must be greater than 0, not " + pid);
    }
    if (!Proc.exists(pid)) {
      throw CommandFailure.wrongInput("there is no process " + pid);
    }
    PrintWriter out = Commands.out(spec);
    PrintWriter err = Commands.err(spec);
    ContextView view = new ContextView(out, terminal, json, watch);
    ProcessContextReader reader = new ProcessContextReader();
    if (watch) {
      return new ContextWatch(pid, withThreads, reader, view, err).run();
    }
    ContextReport report = report(reader);
    String problem = report.problem();
    if (problem != null) {
      err.println(Printable.of("sennit: " + problem));
    }
    if (json ? report.status() != CommandFailure.WRONG_INPUT : isPublished(report)) {
      view.show(report);
    }
    return report.status();
  }

  private ContextReport report(ProcessContextReader reader) {
    ProcessReading process = reader.read(pid);
    ThreadReading threads = null;
    if (withThreads && process instanceof ProcessReading.Published published) {
      threads = readThreads(published.context());
    }
    return new ContextReport(pid, process, threads);
  }

  private ThreadReading readThreads(ProcessContext context) {
    try (ThreadRecordReader threads = ThreadRecordReader.open(pid, context)) {
      return threads.read();
    }
  }

  private static boolean isPublished(ContextReport report) {
    return report.process() instanceof ProcessReading.Published;
  }
}
