/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sennit.store.StoreReader;
import dev.sennit.store.StoreSettings;
import dev.sennit.store.TelemetryStore;
import dev.sennit.testing.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Properties;
import org.duckdb.DuckDBDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RefusalTest {
  @TempDir Path folder;

  /** Holds a store open until its input ends. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws IOException {
      try (TelemetryStore store = TelemetryStore.open(Path.of(arguments[0]), StoreSettings.NAMED)) {
        System.out.println("open " + store.file());
        System.in.readAllBytes();
      }
    }
  }

  @Test
  void aStoreThatAnotherProcessHasOpenIsRefusedWithItsId() {
    Path file = folder.resolve("held.duckdb");
    try (ChildProcess holder = ChildProcess.java(Holder.class, file.toString())) {
      holder.expect("open ");
      String line = file + ": process " + holder.pid() + " has the store open, and only one can";
      assertThatThrownBy(() -> TelemetryStore.open(file, StoreSettings.NAMED)).hasMessage(line);
      assertThatThrownBy(() -> StoreReader.open(file, folder)).hasMessage(line);
      holder.endInput();
      holder.waitFor();
    }
    TelemetryStore.open(file, StoreSettings.NAMED).close();
  }

  @Test
  void aFileThatIsNoDatabaseIsRefusedAndLeftAsItIs() throws IOException {
    Path file = Files.writeString(folder.resolve("notes.txt"), "not a store\n".repeat(1000));
    assertThatThrownBy(() -> TelemetryStore.open(file, StoreSettings.NAMED))
        .isInstanceOf(StoreException.class)
        .hasMessage(file + ": it is not a store, but some other file");
    assertThat(file).hasContent("not a store\n".repeat(1000));
  }

  @Test
  void aDatabaseThatIsNoStoreIsRefused() throws Exception {
    Path file = folder.resolve("other.duckdb");
    change(file, "CREATE TABLE spans (i INTEGER)");
    assertThatThrownBy(() -> TelemetryStore.open(file, StoreSettings.NAMED))
        .hasMessage(file + ": it is a database, but not a store of Sennit");
  }

  @Test
  void aStoreOfANewerVersionIsRefusedAndAnOlderOneToo() throws Exception {
    Path file = folder.resolve("versions.duckdb");
    TelemetryStore.open(file, StoreSettings.NAMED).close();
    change(file, "UPDATE sennit_store SET schema_version = 7, product_version = '9.1'");
    String newer =
        file
            + ": it was written by a newer version of Sennit, 9.1, with tables of version 7;"
            + " this one, unpacked, knows version 2";
    assertThatThrownBy(() -> TelemetryStore.open(file, StoreSettings.NAMED)).hasMessage(newer);
    assertThatThrownBy(() -> StoreReader.open(file, folder)).hasMessage(newer);
    change(file, "UPDATE sennit_store SET schema_version = 0");
    assertThatThrownBy(() -> TelemetryStore.open(file, StoreSettings.NAMED))
        .hasMessageContaining("an older version of Sennit");
  }

  @Test
  void aFileThatIsNotThereCannotBeReadAndAFolderIsNoFile() {
    Path none = folder.resolve("none.duckdb");
    assertThatThrownBy(() -> StoreReader.open(none, folder))
        .hasMessage(none + ": there is no store");
    assertThat(none).doesNotExist();
    assertThatThrownBy(() -> TelemetryStore.open(folder, StoreSettings.NAMED))
        .hasMessageStartingWith(folder + ": ")
        .hasMessageContaining("Is a directory");
    assertThatThrownBy(() -> TelemetryStore.open(folder.resolve("a;b"), StoreSettings.NAMED))
        .hasMessageContaining("semicolon");
  }

  @Test
  void theLibraryThatTheDriverUnpacksDoesNotStay() throws IOException {
    TelemetryStore.open(folder.resolve("any.duckdb"), StoreSettings.NAMED).close();
    assertThat(Files.readAllLines(Path.of("/proc/self/maps")))
        .filteredOn(line -> line.contains("libduckdb_java"))
        .isNotEmpty()
        .allMatch(line -> line.endsWith("(deleted)"));
  }

  private static void change(Path file, String sql) throws Exception {
    try (Connection connection =
            new DuckDBDriver().connect("jdbc:duckdb:" + file, new Properties());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
