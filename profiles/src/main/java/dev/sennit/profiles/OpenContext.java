/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import org.jspecify.annotations.Nullable;

/**
 * A context that is open on a thread while async-profiler dumps its recording. No {@code
 * profiler.Span} tells of it yet, so whoever asks for the dump says it for every such thread, by an
 * event {@code profiler.UserEvent} of type {@link #TYPE} whose data is this, in Latin-1:
 *
 * <pre>
 * tid,since,until,traceparent
 * 4711,81234567,89234567,00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01
 * </pre>
 *
 * Times are ticks of the recording's clock, decimal. The samples after {@code since}, not at it,
 * and up to {@code until} are of the context.
 *
 * @param thread the OS thread
 * @param since when the last sample before the context was taken
 * @param until when the dump was asked for
 */
public record OpenContext(long thread, long since, long until, String traceparent) {
  /** The type of the event. */
  public static final String TYPE = "sennit.open";

  private static final int PARTS = 4;

  /** The data of the event. */
  public String encode() {
    return thread + "," + since + "," + until + "," + traceparent;
  }

  /** What {@link #encode} wrote; null if it is something else. */
  public static @Nullable OpenContext parse(@Nullable String data) {
    if (data == null) {
      return null;
    }
    String[] parts = data.split(",", PARTS);
    if (parts.length != PARTS || TraceParent.parse(parts[3]) == null) {
      return null;
    }
    try {
      return new OpenContext(
          Long.parseLong(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2]), parts[3]);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
