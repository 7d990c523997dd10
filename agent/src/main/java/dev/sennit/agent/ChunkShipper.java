/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import dev.sennit.otlp.export.ExportCounters;
import dev.sennit.otlp.export.ExportSettings;
import dev.sennit.otlp.export.Exporter;
import dev.sennit.otlp.export.Signal;
import dev.sennit.profiles.ConversionOptions;
import dev.sennit.profiles.JfrToOtlpConverter;
import dev.sennit.profiles.ProfileExport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the pieces of a recording: they are put one after the other into the user's file,
 * for chunks in a row are a recording, and each is sent as OTLP profiles.
 */
final class ChunkShipper implements AutoCloseable {
  /** How long an ending JVM waits for a collector. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  private final @Nullable RecordingFile file;
  private final @Nullable Sending sending;
  private final boolean aggregate;
  private final Trouble conversion = new Trouble();

  /** The files that single commands have named in this session. */
  private final Map<Path, RecordingFile> others = new HashMap<>();

  private long chunks;

  private ChunkShipper(@Nullable RecordingFile file, @Nullable Sending sending, boolean aggregate) {
    this.file = file;
    this.sending = sending;
    this.aggregate = aggregate;
  }

  /** Who sends, and by which settings. */
  private record Sending(Exporter exporter, ExportSettings settings) {}

  /**
   * Opens the outputs that the options name.
   *
   * @throws IllegalArgumentException naming the option or the setting that cannot be used
   */
  static ChunkShipper open(ProfilerOptions options) {
    @Nullable RecordingFile file = options.resolvedFile().map(ChunkShipper::create).orElse(null);
    if (!options.exports()) {
      return new ChunkShipper(file, null, options.aggregate());
    }
    Function<String, @Nullable String> properties =
        name ->
            name.equals("sennit.otlp.endpoint") && options.endpoint().isPresent()
                ? options.endpoint().get()
                : System.getProperty(name);
    ExportSettings settings =
        ExportSettings.read(Signal.PROFILES, System::getenv, properties, AgentLog::warn);
    try {
      return new ChunkShipper(
          file,
          new Sending(Exporter.open(settings, AgentLog::detail), settings),
          options.aggregate());
    } catch (IOException e) {
      throw new IllegalArgumentException("profiles cannot be sent: " + e.getMessage(), e);
    }
  }

  private static RecordingFile create(Path path) {
    RecordingFile file = new RecordingFile(path);
    try {
      file.replace();
    } catch (IOException e) {
      throw new IllegalArgumentException("file=" + path + " cannot be written: " + e, e);
    }
    return file;
  }

  /** Takes a piece; what fails is logged, and the others may still succeed. */
  void ship(Path chunk) {
    chunks++;
    if (file != null) {
      file.append(chunk);
    }
    if (sending == null) {
      return;
    }
    try {
      if (Files.size(chunk) > 0) {
        send(chunk, sending);
      }
      conversion.end("pieces of the recording are converted again");
    } catch (IOException | RuntimeException e) {
      conversion.begin("a piece of the recording was not converted", e);
    }
  }

  private void send(Path chunk, Sending sending) throws IOException {
    ConversionOptions options =
        ConversionOptions.defaults().withAggregate(aggregate).withResource(ProcessResource.read());
    ProfileExport profiles = new JfrToOtlpConverter(options).addFile(chunk).read();
    ProfileParts.send(profiles, sending.settings.maxSize(), sending.exporter::export);
  }

  /** Puts a piece into another file, too, which is replaced when a session first names it. */
  void append(Path chunk, Path target) {
    if (file != null && file.isAt(target)) {
      // By another name: it has the piece.
      return;
    }
    others
        .computeIfAbsent(target.toAbsolutePath().normalize(), ignored -> new RecordingFile(target))
        .append(chunk);
  }

  /** Where pieces go and how many went, for people. */
  String status() {
    StringBuilder status = new StringBuilder(chunks + " chunks");
    if (file != null) {
      status.append(", file ").append(file.path());
    }
    if (sending != null) {
      ExportCounters counters = sending.exporter.counters();
      status
          .append(", ")
          .append(sending.settings)
          .append(": ")
          .append(counters.sent())
          .append(" sent, ")
          .append(counters.queued())
          .append(" waiting, ")
          .append(counters.droppedInAll())
          .append(" dropped");
      counters.lastError().ifPresent(error -> status.append(", last error: ").append(error));
    }
    return status.toString();
  }

  @Override
  public void close() {
    if (sending != null) {
      sending.exporter.close(LAST_WORDS);
    }
  }
}
