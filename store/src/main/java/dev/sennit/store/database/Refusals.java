/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.database;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Why a file cannot be opened, in one line that names it. */
final class Refusals {
  private static final Pattern HOLDER = Pattern.compile("\\(PID (\\d+)\\)");
  private static final Pattern KIND = Pattern.compile("^[A-Za-z ]+ Error: ");

  private Refusals() {}

  static StoreException opening(Path file, SQLException failure) {
    return new StoreException(file + ": " + reason(failure), failure);
  }

  private static String reason(SQLException failure) {
    String text = String.valueOf(failure.getMessage());
    if (text.contains("Could not set lock")) {
      Matcher holder = HOLDER.matcher(text);
      return holder.find()
          ? "process " + holder.group(1) + " has the store open, and only one can"
          : "another process has the store open, and only one can";
    }
    if (text.contains("different configuration")) {
      return "this process has the store open already";
    }
    if (text.contains("not a valid DuckDB database")) {
      return "it is not a store, but some other file";
    }
    if (text.contains("newer version of DuckDB")) {
      return "it was written by a newer version of Sennit, with a newer database";
    }
    return firstLine(failure);
  }

  /** What the database says, without the picture of the statement that comes after it. */
  static String firstLine(SQLException failure) {
    String text = String.valueOf(failure.getMessage()).strip();
    return KIND.matcher(text.lines().findFirst().orElse("")).replaceFirst("");
  }
}
