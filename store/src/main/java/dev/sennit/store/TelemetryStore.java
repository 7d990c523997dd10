/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store;

import dev.sennit.intake.Answer;
import dev.sennit.intake.TelemetrySink;
import dev.sennit.store.database.Database;
import dev.sennit.store.database.StoreException;
import dev.sennit.store.query.StoreQueries;
import dev.sennit.store.write.Batch;
import dev.sennit.store.write.LogDecoder;
import dev.sennit.store.write.ProfileDecoder;
import dev.sennit.store.write.Room;
import dev.sennit.store.write.RowWriter;
import dev.sennit.store.write.SpanDecoder;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Traces, logs and profiles in one file, for one process that writes to it. What it has answered is
 * on disk a moment later; a crash loses what came in the last second at most, and never the file.
 */
public final class TelemetryStore implements TelemetrySink, AutoCloseable {
  private static final Duration SOON = Duration.ofSeconds(1);

  private final Database database;
  private final RowWriter writer;
  private final StoreQueries queries;
  private final SampleOwner owner;
  private final @Nullable TemporaryFolder temporary;

  private TelemetryStore(
      Database database,
      StoreSettings settings,
      SampleOwner owner,
      @Nullable TemporaryFolder temporary)
      throws SQLException {
    this.database = database;
    this.owner = owner;
    this.temporary = temporary;
    this.writer =
        new RowWriter(
            database,
            settings.queueBytes(),
            settings.commitEvery(),
            Room.of(settings.maxBytes()),
            settings.maxAge());
    this.queries = new StoreQueries(database);
  }

  /**
   * Opens a file, or makes it where there is none.
   *
   * @throws StoreException if it is something else, or in use, or of another version
   */
  public static TelemetryStore open(Path file, StoreSettings settings) {
    return open(file, settings, SampleOwner.NONE);
  }

  /**
   * Opens a file, or makes it where there is none.
   *
   * @param owner is asked for the spans of samples that have none
   * @throws StoreException if it is something else, or in use, or of another version
   */
  public static TelemetryStore open(Path file, StoreSettings settings, SampleOwner owner) {
    return make(file, settings, owner, null);
  }

  /** Makes a store that is removed when it is closed. */
  public static TelemetryStore temporary(StoreSettings settings) {
    return temporary(settings, SampleOwner.NONE);
  }

  /**
   * Makes a store that is removed when it is closed.
   *
   * @param owner is asked for the spans of samples that have none
   */
  public static TelemetryStore temporary(StoreSettings settings, SampleOwner owner) {
    TemporaryFolder folder = TemporaryFolder.create();
    try {
      return make(folder.path().resolve("sennit.duckdb"), settings, owner, folder);
    } catch (StoreException e) {
      folder.close();
      throw e;
    }
  }

  private static TelemetryStore make(
      Path file, StoreSettings settings, SampleOwner owner, @Nullable TemporaryFolder temporary) {
    long checkpointBytes = Room.of(settings.maxBytes()).part();
    Database database = Database.open(file, settings.memoryBytes(), checkpointBytes);
    try {
      return new TelemetryStore(database, settings, owner, temporary);
    } catch (SQLException e) {
      database.close();
      throw new StoreException(database.file() + ": " + e.getMessage(), e);
    }
  }

  public Path file() {
    return database.file();
  }

  @Override
  public Answer traces(ExportTraceServiceRequest request) {
    return take(SpanDecoder.decode(request));
  }

  @Override
  public Answer logs(ExportLogsServiceRequest request) {
    return take(LogDecoder.decode(request, ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now())));
  }

  @Override
  public Answer profiles(ExportProfilesServiceRequest request) {
    return take(ProfileDecoder.decode(request, owner));
  }

  private Answer take(Batch batch) {
    if (!writer.offer(batch)) {
      return new Answer.Later(SOON, "the store has no room for more until it has written");
    }
    return batch.rejected() == 0
        ? Answer.TAKEN
        : new Answer.TakenInPart(batch.rejected(), batch.reason());
  }

  /** Waits until all that was taken can be read. */
  public void flush() throws InterruptedException {
    writer.flush();
  }

  /** What can be asked. */
  public StoreQueries queries() {
    return queries;
  }

  public StoreStatistics statistics() {
    return new StoreStatistics(writer.state(), database.bytesOnDisk());
  }

  /** Writes what waits. A request that comes later is answered as one without room. */
  @Override
  public void close() {
    writer.close();
    database.close();
    if (temporary != null) {
      temporary.close();
    }
  }
}
