/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.context.memory.Proc;
import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.reader.ProcessContextReader;
import dev.sennit.context.reader.ProcessReading;
import dev.sennit.context.reader.ThreadReading;
import dev.sennit.context.reader.ThreadRecordReader;
import dev.sennit.context.thread.ContextStorageMode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sennit ps}: the processes that publish a context. It never stops a thread. */
@Command(
    name = "ps",
    description = "Lists the processes that publish a context.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  sennit ps",
      "  sennit ps --json | jq -r '.processes[] | select(.threadsInSpans > 0) | .pid'"
    })
final class PsCommand implements Callable<Integer> {
  private static final int MAX_NAME = 48;

  private final Terminal terminal;

  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--json", description = "One JSON document.")
  private boolean json;

  PsCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /**
   * A line of the list.
   *
   * @param threadsInSpans null where that cannot be known without stopping threads, or at all
   */
  private record Entry(
      int pid,
      @Nullable String service,
      @Nullable String instance,
      @Nullable Integer threadsInSpans,
      @Nullable String storage) {}

  @Override
  public Integer call() throws IOException {
    PrintWriter err = Commands.err(spec);
    ProcessContextReader reader = new ProcessContextReader();
    List<Entry> entries = new ArrayList<>();
    int unreadable = 0;
    for (int pid : Proc.processes()) {
      switch (reader.read(pid)) {
        case ProcessReading.Published published -> entries.add(entry(pid, published.context()));
        case ProcessReading.Malformed(String reason) ->
            err.println(Printable.of("sennit: process " + pid + ": malformed: " + reason));
        case ProcessReading.Unreadable(String reason) -> unreadable += Pids.isRunning(pid) ? 1 : 0;
        case ProcessReading.NotPublished() -> {}
      }
    }
    print(entries);
    if (unreadable > 0) {
      err.println(
          "sennit: "
              + unreadable
              + (unreadable == 1 ? " process" : " processes")
              + " could not be read"
              + (HostExamination.readsOtherUsers()
                  ? ""
                  : "; those of other users can be as root or with CAP_SYS_PTRACE"));
    }
    return 0;
  }

  private static Entry entry(int pid, ProcessContext context) {
    @Nullable Integer threadsInSpans = null;
    // What the process says of its storage; without it, what can be read decides.
    @Nullable String storage = text(context.attributes(), ContextStorageMode.PROCESS_KEY);
    try (ThreadRecordReader threads = ThreadRecordReader.open(pid, context)) {
      if (threads.stopsThreads()) {
        storage = ContextStorageMode.OTEP.optionValue();
      } else if (threads.read() instanceof ThreadReading.Threads read) {
        storage = ContextStorageMode.OTEL.optionValue();
        threadsInSpans = read.threads().size();
      }
    }
    return new Entry(
        pid,
        text(context.resource(), "service.name"),
        text(context.resource(), "service.instance.id"),
        threadsInSpans,
        storage);
  }

  private static @Nullable String text(Map<String, AttributeValue> attributes, String key) {
    return attributes.get(key) instanceof AttributeValue.Text(String text) ? text : null;
  }

  private void print(List<Entry> entries) {
    PrintWriter out = Commands.out(spec);
    if (json) {
      out.println(document(entries));
    } else if (!entries.isEmpty()) {
      List<String> lines = table(entries).lines();
      out.println(terminal.bold(lines.getFirst()));
      lines.stream().skip(1).forEach(out::println);
    } else {
      Commands.err(spec).println("sennit: no process publishes a context that could be read");
    }
    out.flush();
  }

  private static Table table(List<Entry> entries) {
    Table table = new Table("PID", "SERVICE", "INSTANCE", "THREADS-IN-SPANS", "STORAGE");
    for (Entry entry : entries) {
      table.add(
          Integer.toString(entry.pid),
          orDash(entry.service),
          orDash(entry.instance),
          entry.threadsInSpans == null ? "-" : entry.threadsInSpans.toString(),
          orDash(entry.storage));
    }
    return table;
  }

  private static String orDash(@Nullable String text) {
    return text == null ? "-" : Printable.of(text, MAX_NAME);
  }

  private static String document(List<Entry> entries) {
    return Json.object(
        json -> {
          json.writeArrayFieldStart("processes");
          for (Entry entry : entries) {
            json.writeStartObject();
            json.writeNumberField("pid", entry.pid);
            json.writeStringField("service", entry.service);
            json.writeStringField("instance", entry.instance);
            json.writeFieldName("threadsInSpans");
            if (entry.threadsInSpans == null) {
              json.writeNull();
            } else {
              json.writeNumber(entry.threadsInSpans);
            }
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }
}
