/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;

/**
 * A file of DuckDB that holds a store, open in this process. Statements can reach no other file,
 * but for a folder into which tables are exported.
 */
public final class Database implements AutoCloseable {
  private static final int MOST_THREADS = 4;
  private static final int MOST_READERS = 1000;

  private final Path file;
  private final Path exportFolder;
  private final DuckDBConnection root;

  /** Who wants to be alone waits in the same line as those who read. */
  private final Semaphore readers = new Semaphore(MOST_READERS, true);

  private Database(Path file, Path exportFolder, DuckDBConnection root) {
    this.file = file;
    this.exportFolder = exportFolder;
    this.root = root;
  }

  /**
   * Opens a store to write to it, and makes it where there is none.
   *
   * @param memoryBytes what the database may take outside of the heap
   * @param checkpointBytes how long the log of changes may become before they go into the tables
   */
  public static Database open(Path file, long memoryBytes, long checkpointBytes) {
    Path absolute = file.toAbsolutePath().normalize();
    makeFolder(absolute);
    Properties settings = settings(memoryBytes);
    settings.setProperty("checkpoint_threshold", checkpointBytes + "B");
    // Else small groups of rows are joined to larger ones at checkpoints: all of a table is written
    // anew now and then, before the old blocks are free.
    settings.setProperty("max_vacuum_tasks", "0");
    Path exports = absolute.resolveSibling(absolute.getFileName() + ".export");
    return open(absolute, exports, settings, Schema::prepare);
  }

  /** Opens a store that is there, to read from it; nothing in it is changed. */
  public static Database openForReading(Path file, long memoryBytes, Path exportFolder) {
    Path absolute = file.toAbsolutePath().normalize();
    if (!Files.exists(absolute)) {
      throw new StoreException(absolute + ": there is no store");
    }
    Properties settings = settings(memoryBytes);
    settings.setProperty("duckdb.read_only", "true");
    return open(absolute, exportFolder.toAbsolutePath().normalize(), settings, Schema::check);
  }

  private interface Preparation {
    void prepare(Connection connection, Path file) throws SQLException;
  }

  private static Database open(
      Path file, Path exportFolder, Properties settings, Preparation preparation) {
    if (file.toString().contains(";")) {
      throw new StoreException(file + ": the name of a store must not have a semicolon");
    }
    try {
      // Not by DriverManager, which knows only the drivers of the class loader it began with.
      DuckDBConnection root =
          (DuckDBConnection) new DuckDBDriver().connect("jdbc:duckdb:" + file, settings);
      try {
        NativeLibrary.removeUnpacked();
        shut(root, exportFolder);
        preparation.prepare(root, file);
        return new Database(file, exportFolder, root);
      } catch (SQLException | RuntimeException e) {
        root.close();
        throw e;
      }
    } catch (SQLException e) {
      throw Refusals.opening(file, e);
    }
  }

  private static Properties settings(long memoryBytes) {
    Properties settings = new Properties();
    int threads = Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors());
    settings.setProperty("threads", Integer.toString(threads));
    settings.setProperty("memory_limit", memoryBytes + "B");
    // What does not fit into memory while a question is answered.
    settings.setProperty("max_temp_directory_size", 4 * memoryBytes + "B");
    // An answer may be larger than memory.
    settings.setProperty("jdbc_stream_results", "true");
    settings.setProperty("autoinstall_known_extensions", "false");
    settings.setProperty("autoload_known_extensions", "false");
    return settings;
  }

  /** From here on no statement reaches files or the network, and none can change that. */
  private static void shut(Connection root, Path exportFolder) throws SQLException {
    try (Statement statement = root.createStatement()) {
      statement.execute("SET allowed_directories = [" + quoted(exportFolder) + "]");
      statement.execute("SET enable_external_access = false");
      statement.execute("SET lock_configuration = true");
    }
  }

  /** A path as a literal of SQL, where no parameter can stand. */
  public static String quoted(Path path) {
    return "'" + path.toString().replace("'", "''") + "'";
  }

  private static void makeFolder(Path file) {
    try {
      Path folder = file.getParent();
      if (folder != null && !Files.isDirectory(folder)) {
        // Requests and log lines may hold what is not for everybody.
        Files.createDirectories(
            folder,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      }
    } catch (IOException e) {
      throw new StoreException(file + ": its folder cannot be made: " + e, e);
    }
  }

  public Path file() {
    return file;
  }

  /** The one folder into which statements may write. */
  public Path exportFolder() {
    return exportFolder;
  }

  /** A connection of its own for the one who writes. */
  public DuckDBConnection connect() {
    try {
      return root.duplicate();
    } catch (SQLException e) {
      throw new StoreException(file + ": " + Refusals.firstLine(e), e);
    }
  }

  /** A connection of its own for one who reads; it may wait for a moment. */
  public Reading read() {
    readers.acquireUninterruptibly();
    try {
      return new Reading(connect(), readers);
    } catch (StoreException e) {
      readers.release();
      throw e;
    }
  }

  /** What is done with the database. */
  @FunctionalInterface
  public interface Action {
    void run() throws SQLException;
  }

  /**
   * Does something while nobody reads. Those who come meanwhile wait, so it must be short.
   *
   * @param patience how long to wait for those who read now
   * @return whether it was done
   */
  public boolean alone(Duration patience, Action action) throws SQLException, InterruptedException {
    if (!readers.tryAcquire(MOST_READERS, patience.toNanos(), TimeUnit.NANOSECONDS)) {
      return false;
    }
    try {
      action.run();
      return true;
    } finally {
      readers.release(MOST_READERS);
    }
  }

  /**
   * What the store takes.
   *
   * @param blocks bytes of the file that hold something
   * @param log bytes of the log of changes beside it
   */
  public record Size(long blocks, long log) {}

  public Size size(Connection connection) throws SQLException {
    String question =
        "SELECT block_size * used_blocks FROM pragma_database_size()"
            + " WHERE database_name = current_database()";
    try (Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery(question)) {
      answer.next();
      return new Size(answer.getLong(1), length(log()));
    }
  }

  /** The length of the file and of the log of changes beside it. */
  public long bytesOnDisk() {
    return length(file) + length(log());
  }

  private Path log() {
    return file.resolveSibling(file.getFileName() + ".wal");
  }

  private static long length(Path path) {
    try {
      return Files.size(path);
    } catch (IOException e) {
      // The log comes and goes.
      return 0;
    }
  }

  @Override
  public void close() {
    try {
      root.close();
    } catch (SQLException e) {
      throw new StoreException(file + ": " + Refusals.firstLine(e), e);
    }
  }
}
