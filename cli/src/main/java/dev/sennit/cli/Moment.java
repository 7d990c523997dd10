/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A point in time: as such, or by how long after the start of a recording it is. */
sealed interface Moment {
  /** The instant, for recordings that start at {@code start}. */
  Instant after(Instant start);

  /** On the clock of the world. */
  record At(Instant instant) implements Moment {
    @Override
    public Instant after(Instant start) {
      return instant;
    }
  }

  /** On the clock of the recording. */
  record Offset(Duration duration) implements Moment {
    @Override
    public Instant after(Instant start) {
      return start.plus(duration);
    }
  }

  /** Reads {@code 2026-01-31T12:00:00Z} and {@code +10s}. */
  final class Converter implements ITypeConverter<Moment> {
    @Override
    public Moment convert(String value) {
      try {
        return value.startsWith("+")
            ? new Offset(new DurationConverter().convert(value.substring(1)))
            : new At(Instant.parse(value));
      } catch (DateTimeParseException | TypeConversionException e) {
        throw new TypeConversionException(
            "'" + value + "' is not a time such as 2026-01-31T12:00:00Z or +10s");
      }
    }
  }
}
