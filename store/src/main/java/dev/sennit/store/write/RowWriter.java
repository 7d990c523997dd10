/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

import dev.sennit.store.database.Database;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/** The one thread that writes to a store, and between transactions removes what is too much. */
public final class RowWriter implements AutoCloseable {
  /** How often to look for what has become too old. */
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  /** In the time that rows are kept there are so many generations at least. */
  private static final int GENERATIONS = 16;

  /** How soon to look again whether there is room. */
  private static final Duration AGAIN = Duration.ofMillis(10);

  /** How long the end of the store may wait for it. */
  private static final Duration AT_THE_END = Duration.ofSeconds(5);

  private final Database database;
  private final DuckDBConnection connection;
  private final Known known;
  private final BatchQueue queue;
  private final Pruner pruner;
  private final WriteCounts counts = new WriteCounts();
  private final Room room;
  private final Thread thread;
  private volatile @Nullable String lastFailure;

  /**
   * Starts the thread.
   *
   * @param queueBytes how much may wait
   * @param gather how long the first of several batches waits for the others
   * @param room what the store may take on disk
   * @param maxAge how long ago rows may have come
   */
  public RowWriter(Database database, long queueBytes, Duration gather, Room room, Duration maxAge)
      throws SQLException {
    this.database = database;
    this.room = room;
    connection = database.connect();
    known = new Known(room.generation(), maxAge.toNanos() / 1000 / GENERATIONS);
    known.load(connection);
    // What is loaded for the first transaction is not to hold up the first request.
    new Transaction(connection, known, nowMicros()).rehearse();
    queue = new BatchQueue(queueBytes, gather);
    pruner = new Pruner(database, connection, known, room, maxAge, counts);
    thread = Thread.ofPlatform().daemon().name("sennit-store").start(this::run);
  }

  /** False if there is no room for the batch now. What is too large for any room is rejected. */
  public boolean offer(Batch batch) {
    batch.rejectLargerThan(room.largest());
    return queue.offer(batch);
  }

  /** Waits until all that was offered can be read. */
  public void flush() throws InterruptedException {
    queue.awaitDone();
  }

  private void run() {
    try {
      long nextLook = System.nanoTime() + LOOK_EVERY.toNanos();
      while (true) {
        List<Batch> batches = queue.take(LOOK_EVERY);
        if (!batches.isEmpty()) {
          writeInParts(batches);
          queue.done(batches.size());
        } else if (queue.isClosed()) {
          return;
        }
        if (System.nanoTime() - nextLook >= 0) {
          pruneByAge();
          nextLook = System.nanoTime() + LOOK_EVERY.toNanos();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One transaction for all that waits could pass the bound before anything is deleted. */
  private void writeInParts(List<Batch> batches) throws InterruptedException {
    List<Batch> part = new ArrayList<>();
    long bytes = 0;
    for (Batch batch : batches) {
      for (Batch piece : Pieces.of(batch, room.largest())) {
        if (!part.isEmpty() && bytes + piece.storedBytes() > room.part()) {
          write(part, bytes);
          part = new ArrayList<>();
          bytes = 0;
        }
        part.add(piece);
        bytes += piece.storedBytes();
      }
    }
    write(part, bytes);
  }

  private void write(List<Batch> batches, long bytes) throws InterruptedException {
    if (!makeRoom(bytes)) {
      lose(batches);
      return;
    }
    if (tryWrite(batches)) {
      return;
    }
    // One batch that the database does not take must not take the others with it.
    for (Batch batch : batches) {
      if (!tryWrite(List.of(batch))) {
        lose(List.of(batch));
      }
    }
  }

  /** Waits as long as those who read keep what is deleted; false if the store is closed then. */
  private boolean makeRoom(long bytes) throws InterruptedException {
    @Nullable Instant last = null;
    while (true) {
      try {
        if (pruner.makeRoom(bytes)) {
          return true;
        }
      } catch (SQLException | RuntimeException e) {
        recover(e);
      }
      if (queue.isClosed()) {
        last = last == null ? Instant.now().plus(AT_THE_END) : last;
        if (Instant.now().isAfter(last)) {
          lastFailure = database.file() + ": there was no room for what came last";
          return false;
        }
      }
      Thread.sleep(AGAIN);
    }
  }

  private void lose(List<Batch> batches) {
    for (Batch batch : batches) {
      counts.lost.add(batch.spans.size() + batch.logs.size() + batch.samples());
    }
  }

  private boolean tryWrite(List<Batch> batches) {
    long bytes = batches.stream().mapToLong(Batch::storedBytes).sum();
    long received = known.receive(nowMicros(), bytes);
    Transaction transaction = new Transaction(connection, known, received);
    try {
      transaction.write(batches);
      transaction.addTo(counts);
      return true;
    } catch (SQLException | RuntimeException e) {
      recover(e);
      return false;
    }
  }

  private void pruneByAge() {
    try {
      pruner.pruneByAge(nowMicros());
    } catch (SQLException | RuntimeException e) {
      recover(e);
    }
  }

  private void recover(Exception failure) {
    lastFailure = database.file() + ": " + failure.getMessage();
    try (Statement statement = connection.createStatement()) {
      statement.execute("ROLLBACK");
    } catch (SQLException e) {
      // There was no transaction, or its end had failed.
      failure.addSuppressed(e);
    }
    try {
      known.load(connection);
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  private static long nowMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  /** What has become of what was offered. */
  public WriterState state() {
    return new WriterState(
        counts.spans.sum(),
        counts.logs.sum(),
        counts.samples.sum(),
        counts.duplicates.sum(),
        counts.lost.sum(),
        counts.pruned.sum(),
        queue.bytes(),
        lastFailure);
  }

  /** Writes what waits, and ends the thread. */
  @Override
  public void close() {
    queue.close();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    try {
      connection.close();
    } catch (SQLException e) {
      lastFailure = database.file() + ": " + e.getMessage();
    }
  }
}
