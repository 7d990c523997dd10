/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.profiles.Kind;
import dev.sennit.profiles.OtlpProfileWriter;
import dev.sennit.profiles.Profile;
import dev.sennit.profiles.ProfileExport;
import dev.sennit.profiles.format.CollapsedWriter;
import dev.sennit.profiles.format.FlamegraphWriter;
import dev.sennit.profiles.format.PprofWriter;
import dev.sennit.profiles.format.SpeedscopeWriter;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Where a conversion goes and in which format. */
record ConversionOutput(String name, OutputFormat format, long maxBytes) {
  /**
   * What was written.
   *
   * @param files none where it went to a stream
   * @param strays what stands beside them as if it were part of it, from an earlier run
   */
  record Written(List<Path> files, List<Path> strays, long bytes) {}

  /** Whether it is a stream, which can be neither moved into its place nor divided. */
  boolean isStream() {
    return name.equals(RecordingInput.STANDARD)
        || (Files.exists(Path.of(name)) && !Files.isRegularFile(Path.of(name)));
  }

  Written write(ProfileExport export, Profile chosen, OutputStream standardOutput)
      throws IOException {
    if (isStream()) {
      boolean standard = name.equals(RecordingInput.STANDARD);
      try (Counting out =
          new Counting(standard ? standardOutput : Files.newOutputStream(Path.of(name)))) {
        writeTo(out, export, chosen);
        out.flush();
        return new Written(List.of(), List.of(), out.bytes);
      }
    }
    try (OutputFile file = new OutputFile(Path.of(name))) {
      if (isOtlp()) {
        OtlpProfileWriter.writeSplit(export, kind(), maxBytes, file::open);
      } else {
        try (OutputStream out = file.open(0)) {
          writeTo(out, export, chosen);
        }
      }
      List<Path> files = file.complete();
      long bytes = 0;
      for (Path part : files) {
        bytes += Files.size(part);
      }
      return new Written(files, file.strays(files.size()), bytes);
    }
  }

  private void writeTo(OutputStream out, ProfileExport export, Profile chosen) throws IOException {
    switch (format) {
      case OTLP, JSON, JSON_PRETTY -> OtlpProfileWriter.write(export, kind(), out);
      case COLLAPSED -> CollapsedWriter.write(export, chosen, out);
      case PPROF -> PprofWriter.write(export, out);
      case SPEEDSCOPE -> SpeedscopeWriter.write(export, out);
      case FLAMEGRAPH -> FlamegraphWriter.write(export, out);
    }
  }

  boolean isOtlp() {
    return switch (format) {
      case OTLP, JSON, JSON_PRETTY -> true;
      case COLLAPSED, PPROF, SPEEDSCOPE, FLAMEGRAPH -> false;
    };
  }

  private Kind kind() {
    return switch (format) {
      case JSON -> Kind.JSON;
      case JSON_PRETTY -> Kind.JSON_PRETTY;
      default -> Kind.PROTO;
    };
  }

  /** What an output holds, in one line. */
  static String summary(List<Profile> profiles, long bytes) {
    long samples = 0;
    long events = 0;
    for (Profile profile : profiles) {
      samples += profile.sampleCount();
      for (int i = 0; i < profile.sampleCount(); i++) {
        events += profile.observations(i);
      }
    }
    return counted(profiles.size(), "profile")
        + ", "
        + counted(samples, "sample")
        + ", "
        + counted(events, "event")
        + ", "
        + new ByteSize(bytes);
  }

  private static String counted(long count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }

  private static final class Counting extends FilterOutputStream {
    private long bytes;

    Counting(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) throws IOException {
      out.write(b);
      bytes++;
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
      out.write(source, offset, length);
      bytes += length;
    }
  }
}
