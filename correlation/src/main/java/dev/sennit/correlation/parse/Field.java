/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** What a field of JSON or logfmt means, by the names that loggers give it. */
enum Field {
  TIME(
      "time @timestamp timestamp ts t @t date datetime asctime eventtime timemillis epochmillis"
          + " time_unix_nano timeunixnano _time syslog.timestamp"),
  SECONDS("instant.epochsecond timestamp.seconds timestampseconds"),
  NANOS("instant.nanoofsecond timestamp.nanos timestampnanos"),
  LEVEL(
      "level severity log.level levelname loglevel log_level lvl @l level_name severity_text"
          + " severitytext"),
  MESSAGE("message msg @message @m short_message textpayload body log"),
  /** structlog's message, and a field like any other elsewhere. */
  EVENT("event @mt"),
  PID("pid process.pid process_id processid"),
  /** A number or a name. */
  PROCESS("process"),
  TID("tid thread_id"),
  /** A number or a name. */
  THREAD("thread"),
  THREAD_NAME("thread_name threadname process.thread.name thread.name"),
  LOGGER("logger logger_name loggername log.logger name"),
  TRACE("trace_id traceid trace.id trace-id trace oteltraceid @tr logging.googleapis.com/trace"),
  SPAN("span_id spanid span.id span-id otelspanid @sp logging.googleapis.com/spanid"),
  FLAGS("trace_flags traceflags trace.flags"),
  SAMPLED("logging.googleapis.com/trace_sampled trace_sampled"),
  TRACEPARENT("traceparent"),
  DATADOG_TRACE("dd.trace_id"),
  DATADOG_SPAN("dd.span_id"),
  EXCEPTION_TYPE(
      "exception.type error.type err.type error.kind thrown.name exception.exception_class"
          + " exception.class"),
  EXCEPTION_MESSAGE(
      "exception.message error.message err.message thrown.message exception.exception_message"),
  STACK(
      "exception.stacktrace error.stack_trace error.stack err.stack stack_trace stacktrace stack"
          + " thrown.extendedstacktrace exc_info exc_text errorverbose @x"),
  /** A stack trace, or what went wrong in a few words. */
  EXCEPTION("exception error err thrown"),
  OTHER("");

  /** Where loggers put what the application has for the whole request. */
  private static final String[] CONTEXTS = {
    "mdc.", "contextmap.", "context.", "ctx.", "attributes.", "fields.", "extra.", "labels."
  };

  private static final Map<String, Field> BY_NAME = new HashMap<>();

  static {
    for (Field field : values()) {
      for (String name : field.names.split(" ")) {
        BY_NAME.put(name, field);
      }
    }
  }

  private final String names;

  Field(String names) {
    this.names = names;
  }

  /** Of the name with the names of the objects around it, joined by dots. */
  static Field of(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    Field field = BY_NAME.getOrDefault(lower, OTHER);
    if (field == OTHER) {
      for (String context : CONTEXTS) {
        if (lower.startsWith(context)) {
          Field inside = BY_NAME.getOrDefault(lower.substring(context.length()), OTHER);
          return inside.isId() ? inside : OTHER;
        }
      }
    }
    return field;
  }

  private boolean isId() {
    return compareTo(TRACE) >= 0 && compareTo(DATADOG_SPAN) <= 0;
  }
}
