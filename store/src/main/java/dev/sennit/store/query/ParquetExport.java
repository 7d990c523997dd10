/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import dev.sennit.store.database.Database;
import dev.sennit.store.database.Reading;
import dev.sennit.store.database.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes every table into a Parquet file. Statements of an open store may write to one folder only,
 * so the files are made there and then moved to where they are wanted.
 */
final class ParquetExport {
  static final List<String> TABLES =
      List.of(
          "processes", "spans", "span_events", "span_links", "logs", "samples", "stacks", "frames");

  private ParquetExport() {}

  /** The files, in the order of the tables. */
  static List<Path> run(Database database, Path folder) {
    Path staging = database.exportFolder();
    try {
      Files.createDirectories(folder);
      Files.createDirectories(staging);
      List<Path> files = new ArrayList<>();
      try (Reading reading = database.read();
          Statement statement = reading.connection().createStatement()) {
        // All tables as they are at one moment.
        statement.execute("BEGIN TRANSACTION READ ONLY");
        for (String table : TABLES) {
          Path made = staging.resolve(table + ".parquet");
          statement.execute("COPY " + table + " TO " + Database.quoted(made) + " (FORMAT parquet)");
          Path wanted = folder.resolve(made.getFileName()).toAbsolutePath().normalize();
          if (!wanted.equals(made)) {
            Files.move(made, wanted, StandardCopyOption.REPLACE_EXISTING);
          }
          files.add(wanted);
        }
        statement.execute("ROLLBACK");
      }
      if (!staging.equals(folder.toAbsolutePath().normalize())) {
        Files.deleteIfExists(staging);
      }
      return files;
    } catch (SQLException e) {
      throw new StoreException(folder + ": " + SqlRows.line(e), e);
    } catch (IOException e) {
      throw new StoreException(folder + ": the export cannot be written: " + e, e);
    }
  }
}
