/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.cli.observation.ServiceNames;
import dev.sennit.context.memory.Proc;
import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.reader.ProcessReading;
import dev.sennit.context.reader.ThreadReading;
import dev.sennit.context.reader.ThreadRecord;
import dev.sennit.context.reader.ThreadRecordReader;
import dev.sennit.context.thread.ContextStorageMode;
import dev.sennit.viewer.view.LiveProcess;
import dev.sennit.viewer.view.LiveThread;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One process that publishes its context, read again and again. */
final class PublishedProcess implements AutoCloseable {
  private static final int MOST_ATTRIBUTES = 100;
  private static final int LONGEST = 1_000;
  private static final long STOP_EVERY = Duration.ofSeconds(1).toNanos();

  private final int pid;
  private ProcessReading.Published published;
  private Map<String, String> resource;
  private Map<String, String> attributes;
  private String service;
  private ThreadRecordReader reader;
  private int threads;
  private @Nullable ThreadReading stopped;
  private long stoppedAt = System.nanoTime() - STOP_EVERY;

  PublishedProcess(int pid, ProcessReading.Published published) {
    this.pid = pid;
    this.published = published;
    this.resource = texts(published.context().resource());
    this.attributes = texts(published.context().attributes());
    this.service = service();
    this.reader = ThreadRecordReader.open(pid, published.context());
    count();
  }

  /** Takes note of what it publishes now; another process may have got the pid meanwhile. */
  void update(ProcessReading.Published now) {
    if (now.publishedAtNs() != published.publishedAtNs()) {
      published = now;
      resource = texts(now.context().resource());
      attributes = texts(now.context().attributes());
      service = service();
      reader.close();
      reader = ThreadRecordReader.open(pid, now.context());
      stopped = null;
    }
    count();
  }

  /** As its spans call it, if it has not said how it is called. */
  private String service() {
    return ServiceNames.of(
        resource.getOrDefault("service.name", ""), resource.getOrDefault("host.name", ""), pid);
  }

  private void count() {
    try {
      threads = Proc.threads(pid).length;
    } catch (IOException e) {
      // It ends; the next look says so.
      threads = 0;
    }
  }

  /** Whether it can be read only by stopping its threads, and was not for long enough. */
  boolean isToBeStopped() {
    return reader.stopsThreads() && System.nanoTime() - stoppedAt >= STOP_EVERY;
  }

  long stoppedAt() {
    return stoppedAt;
  }

  void stop() {
    stopped = reader.read();
    stoppedAt = System.nanoTime();
  }

  /**
   * What there is now; null if the process has ended.
   *
   * @param room for how many threads there is room
   */
  @Nullable LiveProcess read(int room) {
    @Nullable ThreadReading reading = reader.stopsThreads() ? stopped : reader.read();
    if (!(reading instanceof ThreadReading.Threads) && !Pids.isRunning(pid)) {
      return null;
    }
    List<ThreadRecord> inSpans =
        reading instanceof ThreadReading.Threads(List<ThreadRecord> read, int unsettled)
            ? read
            : List.of();
    return new LiveProcess(
        pid,
        published.publishedAtNs(),
        service,
        resource.get("service.instance.id"),
        resource,
        attributes,
        storage(),
        reader.stopsThreads(),
        inSpans.stream().limit(room).map(PublishedProcess::thread).toList(),
        inSpans.size(),
        Math.max(0, threads - inSpans.size()),
        problem(reading));
  }

  /** What it says of its storage; without it, how it is read decides. */
  private String storage() {
    @Nullable String said = attributes.get(ContextStorageMode.PROCESS_KEY);
    return said != null
        ? said
        : (reader.stopsThreads() ? ContextStorageMode.OTEP : ContextStorageMode.OTEL).optionValue();
  }

  private static @Nullable String problem(@Nullable ThreadReading reading) {
    return switch (reading) {
      case ThreadReading.Unavailable(String reason) -> cut(reason);
      case ThreadReading.Malformed(String reason) -> cut("malformed thread records: " + reason);
      case ThreadReading.Threads read -> null;
      case null -> null;
    };
  }

  private static LiveThread thread(ThreadRecord thread) {
    Map<String, String> texts = new LinkedHashMap<>();
    thread.attributes().forEach((key, value) -> texts.put(cut(key), cut(value)));
    return new LiveThread(
        thread.tid(), thread.name(), Ids.traceId(thread), Ids.spanId(thread.spanId()), texts);
  }

  private static Map<String, String> texts(Map<String, AttributeValue> values) {
    Map<String, String> texts = new LinkedHashMap<>();
    values.entrySet().stream()
        .limit(MOST_ATTRIBUTES)
        .forEach(entry -> texts.put(cut(entry.getKey()), cut(text(entry.getValue()))));
    return texts;
  }

  private static String text(AttributeValue value) {
    return value instanceof AttributeValue.Text(String text)
        ? text
        : Json.value(json -> ContextJson.writeValue(json, value));
  }

  /** What others wrote may be long; a character of two halves is not cut in two. */
  private static String cut(String text) {
    if (text.length() <= LONGEST) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
    return text.substring(0, end) + "…";
  }

  @Override
  public void close() {
    reader.close();
  }
}
