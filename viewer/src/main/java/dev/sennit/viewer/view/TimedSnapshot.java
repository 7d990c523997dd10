/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was read of the processes, with the time for which each thread was seen in its span.
 *
 * @param now when, in milliseconds since 1970
 */
record TimedSnapshot(long now, LiveProcesses.Snapshot snapshot, List<Threads> threads) {
  /** A thread, and since when it was seen in its span, in milliseconds since 1970. */
  record Timed(LiveThread thread, long since) {}

  /** The threads of a process. */
  record Threads(long pid, int inSpans, int others, @Nullable String problem, List<Timed> list) {}

  /** Whether the same processes publish the same. */
  boolean isOfSameProcesses(TimedSnapshot other) {
    List<LiveProcess> mine = snapshot.processes();
    List<LiveProcess> theirs = other.snapshot.processes();
    if (mine.size() != theirs.size()
        || snapshot.more() != other.snapshot.more()
        || snapshot.unreadable() != other.snapshot.unreadable()) {
      return false;
    }
    for (int i = 0; i < mine.size(); i++) {
      if (mine.get(i).pid() != theirs.get(i).pid()
          || mine.get(i).publishedAt() != theirs.get(i).publishedAt()) {
        return false;
      }
    }
    return true;
  }

  /** The processes of whose threads there is something new. */
  List<Threads> changedSince(@Nullable TimedSnapshot before) {
    if (before == null) {
      return threads;
    }
    Map<Long, Threads> known = new HashMap<>();
    before.threads.forEach(each -> known.put(each.pid, each));
    return threads.stream().filter(each -> !each.equals(known.get(each.pid))).toList();
  }

  void writeProcesses(JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeBooleanField("more", snapshot.more());
    out.writeNumberField("unreadable", snapshot.unreadable());
    out.writeArrayFieldStart("processes");
    for (LiveProcess process : snapshot.processes()) {
      out.writeStartObject();
      out.writeNumberField("pid", process.pid());
      out.writeStringField("service", process.service());
      out.writeStringField("instance", process.instance());
      out.writeStringField("storage", process.storage());
      out.writeBooleanField("stopped", process.stopped());
      writeMap("resource", process.resource(), out);
      writeMap("attributes", process.attributes(), out);
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  void writeThreads(List<Threads> chosen, JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeNumberField("now", now);
    out.writeArrayFieldStart("processes");
    for (Threads process : chosen) {
      out.writeStartObject();
      out.writeNumberField("pid", process.pid);
      out.writeNumberField("inSpans", process.inSpans);
      out.writeNumberField("others", process.others);
      out.writeStringField("problem", process.problem);
      out.writeArrayFieldStart("threads");
      for (Timed timed : process.list) {
        out.writeStartObject();
        out.writeNumberField("tid", timed.thread.tid());
        out.writeStringField("name", timed.thread.name());
        out.writeStringField("trace", timed.thread.traceId());
        out.writeStringField("span", timed.thread.spanId());
        out.writeNumberField("since", timed.since);
        writeMap("attributes", timed.thread.attributes(), out);
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  private static void writeMap(String name, Map<String, String> entries, JsonGenerator out)
      throws IOException {
    out.writeObjectFieldStart(name);
    for (Map.Entry<String, String> entry : entries.entrySet()) {
      out.writeStringField(entry.getKey(), entry.getValue());
    }
    out.writeEndObject();
  }
}
