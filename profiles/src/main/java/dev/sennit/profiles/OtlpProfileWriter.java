/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.otlp.JsonEncoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * Writes profiles as OTLP, as {@code ProfilesData} of a file and {@code
 * ExportProfilesServiceRequest} alike. Lengths are computed first and bytes streamed then, so that
 * an output may be larger than memory. Only the dictionary entries that are referred to are
 * written, numbered by first use: a dictionary that also served other profiles leaves no orphan
 * behind.
 */
public final class OtlpProfileWriter {
  /** The size that OTLP recommends as the limit of a request. */
  public static final long DEFAULT_MAX_BYTES = 64L << 20;

  private OtlpProfileWriter() {}

  /** Gives the stream for the n-th part, counted from 0; it is closed when the part is written. */
  @FunctionalInterface
  public interface Parts {
    OutputStream open(int part) throws IOException;
  }

  /** Writes all as one; the stream is flushed and left open. */
  public static void write(ProfileExport export, Kind kind, OutputStream out) throws IOException {
    write(new RequestPlanner(export).next(Long.MAX_VALUE).orElseThrow(), kind, out);
    out.flush();
  }

  /** All as one array, for what is known to be small. */
  public static byte[] toByteArray(ProfileExport export, Kind kind) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      write(export, kind, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /**
   * Divides the samples over as many requests as are needed for none to be larger than {@code
   * maxBytes}, each valid by itself; the result is their number. A profile that is divided keeps
   * its times, has the original payload in its first part, and another id in each part; so is a
   * sample whose events do not fit into one.
   *
   * @throws IOException if a stream fails, or if one event by itself is larger with its stack,
   *     whose sample the message names; the parts before it have been written then
   */
  public static int writeSplit(ProfileExport export, Kind kind, long maxBytes, Parts parts)
      throws IOException {
    RequestPlanner planner = new RequestPlanner(export);
    int part = 0;
    while (!planner.done()) {
      RequestPlan plan =
          kind == Kind.PROTO ? next(planner, maxBytes) : nextJson(planner, kind, maxBytes);
      try (OutputStream out = parts.open(part++)) {
        write(plan, kind, out);
      }
    }
    return part;
  }

  private static RequestPlan next(RequestPlanner planner, long maxBytes) throws IOException {
    return planner
        .next(maxBytes)
        .orElseThrow(() -> new IOException(planner.tooLarge() + limit(maxBytes)));
  }

  /**
   * JSON has no lengths to plan with, and how much larger than protobuf it is depends on the
   * content: so it is measured, and tried again with less where it is too long.
   */
  private static RequestPlan nextJson(RequestPlanner planner, Kind kind, long maxBytes)
      throws IOException {
    RequestPlanner.Position start = planner.position();
    long tooLittle = 0;
    long tooMuch = maxBytes;
    for (long budget = maxBytes;
        budget > tooLittle;
        budget = tooLittle + (tooMuch - tooLittle) / 2) {
      Optional<RequestPlan> plan = planner.next(budget);
      if (plan.isEmpty()) {
        tooLittle = budget;
      } else if (measure(plan.get(), kind) <= maxBytes) {
        return plan.get();
      } else {
        tooMuch = budget;
      }
      planner.backTo(start);
    }
    throw new IOException(planner.tooLarge() + " and more in JSON" + limit(maxBytes));
  }

  private static long measure(RequestPlan plan, Kind kind) throws IOException {
    Meter meter = new Meter();
    write(plan, kind, meter);
    return meter.bytes;
  }

  private static String limit(long maxBytes) {
    return ", but a request may have " + maxBytes + "; allow more";
  }

  private static void write(RequestPlan plan, Kind kind, OutputStream out) throws IOException {
    switch (kind) {
      case PROTO -> plan.write(out);
      case JSON -> new JsonRequest(JsonEncoder.compact(out), plan).write();
      case JSON_PRETTY -> new JsonRequest(JsonEncoder.pretty(out), plan).write();
    }
  }

  private static final class Meter extends OutputStream {
    private long bytes;

    @Override
    public void write(int b) {
      bytes++;
    }

    @Override
    public void write(byte[] source, int offset, int length) {
      bytes += length;
    }
  }
}
