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
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the pieces of a recording: they are put one after the other into the user's file,
 * for chunks in a row are a recording, and each is sent as OTLP profiles.
 */
final class ChunkShipper implements AutoCloseable {
  /** How long an ending JVM waits for a collector. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  private final Optional<Path> file;
  private final @Nullable Sending sending;
  private final boolean aggregate;
  private long chunks;
  private boolean warned;

  private ChunkShipper(Optional<Path> file, @Nullable Sending sending, boolean aggregate) {
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
    Optional<Path> file = options.resolvedFile();
    file.ifPresent(ChunkShipper::create);
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

  private static void create(Path file) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      Files.write(file, new byte[0]);
    } catch (IOException e) {
      throw new IllegalArgumentException("file=" + file + " cannot be written: " + e, e);
    }
  }

  /** Takes a piece; what fails is logged, and the others may still succeed. */
  void ship(Path chunk) {
    chunks++;
    file.ifPresent(target -> append(chunk, target));
    if (sending == null) {
      return;
    }
    try {
      if (Files.size(chunk) > 0) {
        send(chunk, sending);
      }
    } catch (IOException | RuntimeException e) {
      warnOnce("a piece of the recording was not converted", e);
    }
  }

  private void send(Path chunk, Sending sending) throws IOException {
    ConversionOptions options =
        ConversionOptions.defaults().withAggregate(aggregate).withResource(ProcessResource.read());
    ProfileExport profiles = new JfrToOtlpConverter(options).addFile(chunk).read();
    ProfileParts.send(profiles, sending.settings.maxSize(), sending.exporter::export);
  }

  /** Puts a piece at the end of a file. */
  void append(Path chunk, Path target) {
    try (OutputStream out =
        Files.newOutputStream(target, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      Files.copy(chunk, out);
    } catch (IOException e) {
      warnOnce("a piece of the recording is not in " + target, e);
    }
  }

  private void warnOnce(String message, Exception cause) {
    if (!warned) {
      warned = true;
      AgentLog.warn(message, cause);
    }
  }

  /** Where pieces go and how many went, for people. */
  String status() {
    StringBuilder status = new StringBuilder(chunks + " chunks");
    file.ifPresent(target -> status.append(", file ").append(target));
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
