/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Converts JFR recordings to OTLP profiles.
 *
 * <pre>{@code
 * byte[] profiles = new JfrToOtlpConverter().addFile(recording, start, end).convert();
 * }</pre>
 *
 * <p>Several files become one export. After a conversion the converter is as new and may be used
 * again. Chunks are read side by side; a converter itself belongs to one thread.
 */
public final class JfrToOtlpConverter {
  private final ConversionOptions options;
  private final List<Input> inputs = new ArrayList<>();
  private LongConsumer progress = bytes -> {};
  private List<String> warnings = List.of();

  /** A file and the part of it that is wanted, in nanoseconds since the epoch. */
  record Input(Path file, long from, long to) {}

  /** A converter of everything that recordings hold. */
  public JfrToOtlpConverter() {
    this(ConversionOptions.defaults());
  }

  public JfrToOtlpConverter(ConversionOptions options) {
    this.options = options;
  }

  /** Adds a recording. */
  public JfrToOtlpConverter addFile(Path file) {
    inputs.add(new Input(file, Long.MIN_VALUE, Long.MAX_VALUE));
    return this;
  }

  /**
   * Adds a part of a recording.
   *
   * @param start the first moment that counts
   * @param end the moment after the last
   */
  public JfrToOtlpConverter addFile(Path file, Instant start, Instant end) {
    if (!start.isBefore(end)) {
      throw new IllegalArgumentException(
          "the time range of " + file + " is empty: from " + start + " to " + end);
    }
    inputs.add(new Input(file, nanos(start), nanos(end)));
    return this;
  }

  /**
   * Says who is told of the bytes of each part of a recording that was read, by whichever thread
   * has read it.
   */
  public JfrToOtlpConverter onProgress(LongConsumer listener) {
    progress = listener;
    return this;
  }

  /** Converts to protobuf. */
  public byte[] convert() throws IOException {
    return convert(Kind.PROTO);
  }

  /** Converts to an array; what may not fit into one goes to a stream. */
  public byte[] convert(Kind kind) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    convert(kind, out);
    return out.toByteArray();
  }

  /** Converts to a stream, which stays open. */
  public void convert(Kind kind, OutputStream out) throws IOException {
    OtlpProfileWriter.write(read(), kind, out);
  }

  /**
   * Reads the recordings into the profiles that would be written.
   *
   * @throws IOException if a file cannot be read or is not a recording; it names the file
   */
  public ProfileExport read() throws IOException {
    if (inputs.isEmpty()) {
      throw new IllegalStateException("there is no recording to convert; add a file first");
    }
    List<Input> files = List.copyOf(inputs);
    inputs.clear();
    Conversion conversion = new Conversion(options, progress);
    try {
      conversion.run(files);
      ProfileExport export = conversion.export();
      if (options.validate()) {
        validate(export);
      }
      return export;
    } finally {
      warnings = conversion.warnings();
    }
  }

  /** What the last conversion left out, and what is doubtful of its result; one line each. */
  public List<String> warnings() {
    return warnings;
  }

  private static void validate(ProfileExport export) {
    ValidationResult result = OtlpProfileValidator.validateProfile(export);
    if (!result.isValid()) {
      throw new IllegalStateException(
          "the profiles that were made are not valid, which is a fault of the converter: "
              + result.errors());
    }
  }

  private static long nanos(Instant instant) {
    try {
      return Math.addExact(
          Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
    } catch (ArithmeticException e) {
      return instant.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }
}
