/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The messages that collectors answer with; they are alike for every signal. */
final class Answers {
  private static final String RETRY_INFO = "/google.rpc.RetryInfo";
  private static final int MAX_TEXT = 300;

  private Answers() {}

  /** {@code ExportProfilesServiceResponse} or its like: field 1 is the partial success. */
  static SendResult.Delivered delivered(byte[] bytes, int start, int end) {
    long rejected = 0;
    String message = "";
    try {
      ProtobufFields response = new ProtobufFields(bytes, start, end);
      while (response.next()) {
        if (response.field() != 1) {
          continue;
        }
        ProtobufFields partial = response.message();
        while (partial.next()) {
          switch (partial.field()) {
            case 1 -> rejected = partial.number();
            case 2 -> message = printable(partial.text());
            default -> {}
          }
        }
      }
    } catch (IOException e) {
      // Its status says that it was taken, whatever else it says.
      return new SendResult.Delivered(0, "the answer is not OTLP: " + e.getMessage());
    }
    return new SendResult.Delivered(rejected, message);
  }

  /** What a {@code google.rpc.Status} says. */
  record Status(String message, Optional<Duration> retryDelay) {}

  static Status status(byte[] bytes) throws IOException {
    String message = "";
    Optional<Duration> delay = Optional.empty();
    ProtobufFields status = new ProtobufFields(bytes, 0, bytes.length);
    while (status.next()) {
      switch (status.field()) {
        case 2 -> message = printable(status.text());
        case 3 -> delay = delay.isPresent() ? delay : retryDelay(status.message());
        default -> {}
      }
    }
    return new Status(message, delay);
  }

  /** A detail is a {@code google.protobuf.Any}: the type in field 1, the message in field 2. */
  private static Optional<Duration> retryDelay(ProtobufFields any) throws IOException {
    String type = "";
    @Nullable ProtobufFields value = null;
    while (any.next()) {
      switch (any.field()) {
        case 1 -> type = any.text();
        case 2 -> value = any.message();
        default -> {}
      }
    }
    return value != null && type.endsWith(RETRY_INFO)
        ? Optional.of(retryInfo(value))
        : Optional.empty();
  }

  private static Duration retryInfo(ProtobufFields info) throws IOException {
    Duration delay = Duration.ZERO;
    while (info.next()) {
      if (info.field() != 1) {
        continue;
      }
      ProtobufFields duration = info.message();
      while (duration.next()) {
        switch (duration.field()) {
          case 1 -> delay = delay.plusSeconds(clamp(duration.number()));
          case 2 -> delay = delay.plusNanos(clamp(duration.number()));
          default -> {}
        }
      }
    }
    return delay;
  }

  private static long clamp(long value) {
    return Math.clamp(value, 0, Integer.MAX_VALUE);
  }

  /** What a stranger sent, as one short line. */
  static String printable(String text) {
    String line = text.replaceAll("[\\p{Cc}\\p{Cf}\\s]+", " ").strip();
    return line.length() <= MAX_TEXT ? line : line.substring(0, MAX_TEXT) + "…";
  }
}
