/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import dev.sennit.correlation.parse.Names.Name;
import dev.sennit.correlation.record.Severity;
import dev.sennit.otlp.AttributeValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Takes the named values of a line for what their names mean; what is left are attributes. */
final class Fields {
  private static final String STACK = "exception.stacktrace";

  /** Numbers below are no times of this century's logs, and so something else. */
  private static final long EARLIEST = 100_000_000L * 1_000_000_000L;

  private final Draft draft;
  private final Times times;
  private long written;
  private long seconds;
  private long nanos;
  private byte @Nullable [] event;
  private String eventName = "";

  Fields(Draft draft, Times times) {
    this.draft = draft;
    this.times = times;
  }

  void begin(long writtenAt) {
    written = writtenAt;
    seconds = 0;
    nanos = 0;
    event = null;
  }

  /** Decides what could only be decided when all was there. */
  void end() {
    if (seconds > 0 && draft.time == 0) {
      draft.time = seconds * 1_000_000_000 + nanos;
    }
    byte[] said = event;
    if (said != null && !draft.hasBody()) {
      draft.body(said, 0, said.length);
      draft.remove(eventName);
    }
  }

  void text(Name name, byte[] bytes, int from, int to) {
    if (!taken(name, bytes, from, to)) {
      draft.putText(name.text(), bytes, from, to);
    }
  }

  private boolean taken(Name name, byte[] bytes, int from, int to) {
    return switch (name.field()) {
      case TIME -> time(bytes, from, to);
      case LEVEL -> level(bytes, from, to);
      case MESSAGE -> {
        boolean first = !draft.hasBody();
        if (first) {
          draft.body(bytes, from, to);
        }
        yield first;
      }
      case EVENT -> {
        event = Arrays.copyOfRange(bytes, from, to);
        eventName = name.text();
        yield false;
      }
      case PID, PROCESS, TID, SECONDS, NANOS ->
          Ascii.number(bytes, from, to) >= 0 && numberTaken(name, bytes, from, to);
      case THREAD, THREAD_NAME -> {
        draft.putName("thread.name", bytes, from, to);
        yield true;
      }
      case LOGGER -> {
        draft.putName("log.logger", bytes, from, to);
        yield true;
      }
      case EXCEPTION_TYPE -> put("exception.type", bytes, from, to);
      case EXCEPTION_MESSAGE -> put("exception.message", bytes, from, to);
      case STACK -> stack(bytes, from, to);
      case EXCEPTION ->
          Ascii.find(bytes, from, to, '\n') < 0
              ? put("exception.message", bytes, from, to)
              : stack(bytes, from, to);
      case OTHER -> false;
      default -> {
        if (id(name.field(), bytes, from, to)) {
          draft.ids.saidBy(name.text());
        }
        yield false;
      }
    };
  }

  private boolean put(String name, byte[] bytes, int from, int to) {
    draft.putText(name, bytes, from, to);
    return true;
  }

  private boolean stack(byte[] bytes, int from, int to) {
    draft.putText(STACK, bytes, from, to);
    StackTraces.find(bytes, from, to, draft);
    return true;
  }

  private boolean id(Field field, byte[] bytes, int from, int to) {
    return switch (field) {
      case TRACE -> {
        int slash = to - 33;
        yield draft.ids.trace(bytes, slash >= from && bytes[slash] == '/' ? slash + 1 : from, to);
      }
      case DATADOG_TRACE -> draft.ids.datadogTrace(bytes, from, to);
      case SPAN -> draft.ids.span(bytes, from, to);
      case DATADOG_SPAN -> draft.ids.datadogSpan(bytes, from, to);
      case FLAGS -> draft.ids.flags(bytes, from, to);
      case TRACEPARENT -> draft.ids.traceparent(bytes, from, to);
      default -> false;
    };
  }

  private boolean time(byte[] bytes, int from, int to) {
    if (draft.time != 0 || !times.read(bytes, from, to, written) || times.end != to) {
      return false;
    }
    draft.time = times.nanos;
    return true;
  }

  private boolean level(byte[] bytes, int from, int to) {
    if (draft.hasLevel()) {
      return false;
    }
    @Nullable Level level = Level.of(bytes, from, to);
    if (level == null) {
      level = Level.ofNumber(Ascii.number(bytes, from, to));
    }
    if (level == null) {
      String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
      level = new Level(text, Severity.UNSPECIFIED);
    }
    draft.level(level);
    return true;
  }

  void number(Name name, byte[] bytes, int from, int to) {
    if (!numberTaken(name, bytes, from, to)) {
      if (name.field() == Field.FLAGS || name.field() == Field.DATADOG_SPAN) {
        id(name.field(), bytes, from, to);
        draft.ids.saidBy(name.text());
      }
      draft.put(name.text(), Numbers.value(bytes, from, to));
    }
  }

  private boolean numberTaken(Name name, byte[] bytes, int from, int to) {
    long number = Ascii.number(bytes, from, to);
    return switch (name.field()) {
      case TIME -> {
        long time = Epoch.nanos(bytes, from, to);
        boolean taken = draft.time == 0 && time >= EARLIEST;
        if (taken) {
          draft.time = time;
        }
        yield taken;
      }
      case SECONDS -> {
        seconds = number < Long.MAX_VALUE / 1_000_000_000 ? number : 0;
        yield true;
      }
      case NANOS -> {
        nanos = number;
        yield true;
      }
      case LEVEL -> {
        @Nullable Level level = draft.hasLevel() ? null : Level.ofNumber(number);
        draft.level(level);
        yield level != null;
      }
      case PID, PROCESS -> {
        draft.pid(number);
        yield draft.pid == number;
      }
      case TID, THREAD -> {
        draft.tid(number);
        yield draft.tid == number;
      }
      default -> false;
    };
  }

  void flag(Name name, boolean value) {
    if (name.field() == Field.SAMPLED) {
      draft.ids.sampled(value);
      draft.ids.saidBy(name.text());
    }
    draft.put(name.text(), AttributeValue.of(value));
  }

  void value(Name name, AttributeValue value) {
    draft.put(name.text(), value);
  }
}
