/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.database;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** The tables of a store, and which version of them a file has. */
final class Schema {
  static final int VERSION = 2;

  private static final String TABLES =
      """
      CREATE TABLE sennit_store (
        schema_version INTEGER NOT NULL,
        product_version VARCHAR NOT NULL,
        created TIMESTAMP NOT NULL
      );
      CREATE TABLE process_rows (
        process_id BIGINT NOT NULL,
        service VARCHAR NOT NULL,
        instance VARCHAR,
        host VARCHAR,
        pid BIGINT,
        first_seen TIMESTAMP NOT NULL,
        last_seen TIMESTAMP NOT NULL,
        resource JSON,
        generation TIMESTAMP NOT NULL
      );
      CREATE TABLE spans (
        trace_id VARCHAR NOT NULL,
        span_id VARCHAR NOT NULL,
        parent_span_id VARCHAR,
        service VARCHAR NOT NULL,
        name VARCHAR NOT NULL,
        kind VARCHAR NOT NULL,
        peer VARCHAR,
        start TIMESTAMP_NS NOT NULL,
        duration_ns BIGINT NOT NULL,
        status VARCHAR NOT NULL,
        status_message VARCHAR,
        attributes JSON,
        scope VARCHAR,
        trace_state VARCHAR,
        process_id BIGINT NOT NULL,
        received TIMESTAMP NOT NULL
      );
      CREATE TABLE span_events (
        trace_id VARCHAR NOT NULL,
        span_id VARCHAR NOT NULL,
        time TIMESTAMP_NS NOT NULL,
        name VARCHAR NOT NULL,
        attributes JSON,
        received TIMESTAMP NOT NULL
      );
      CREATE TABLE span_links (
        trace_id VARCHAR NOT NULL,
        span_id VARCHAR NOT NULL,
        linked_trace_id VARCHAR NOT NULL,
        linked_span_id VARCHAR NOT NULL,
        attributes JSON,
        received TIMESTAMP NOT NULL
      );
      CREATE TABLE logs (
        seq BIGINT NOT NULL,
        time TIMESTAMP_NS NOT NULL,
        service VARCHAR NOT NULL,
        severity INTEGER NOT NULL,
        severity_text VARCHAR,
        event_name VARCHAR,
        body VARCHAR,
        attributes JSON,
        trace_id VARCHAR,
        span_id VARCHAR,
        pid BIGINT,
        thread_id BIGINT,
        thread_name VARCHAR,
        scope VARCHAR,
        process_id BIGINT NOT NULL,
        received TIMESTAMP NOT NULL
      );
      CREATE TABLE samples (
        time TIMESTAMP_NS NOT NULL,
        interval_ns BIGINT NOT NULL,
        type VARCHAR NOT NULL,
        unit VARCHAR NOT NULL,
        value BIGINT NOT NULL,
        period BIGINT,
        stack_id BIGINT NOT NULL,
        service VARCHAR NOT NULL,
        trace_id VARCHAR,
        span_id VARCHAR,
        thread_id BIGINT,
        thread_name VARCHAR,
        attributes JSON,
        process_id BIGINT NOT NULL,
        received TIMESTAMP NOT NULL
      );
      CREATE TABLE stack_rows (
        stack_id BIGINT NOT NULL,
        frame_ids BIGINT[] NOT NULL,
        generation TIMESTAMP NOT NULL
      );
      CREATE TABLE frame_rows (
        frame_id BIGINT NOT NULL,
        name VARCHAR NOT NULL,
        file VARCHAR,
        line BIGINT,
        kind VARCHAR,
        generation TIMESTAMP NOT NULL
      );
      """;

  /** Processes, stacks and frames are written once in each generation, and shown once. */
  private static final String VIEWS =
      """
      CREATE VIEW processes AS
      SELECT
        process_id,
        any_value(service) AS service,
        any_value(instance) AS instance,
        any_value(host) AS host,
        any_value(pid) AS pid,
        min(first_seen) AS first_seen,
        max(last_seen) AS last_seen,
        any_value(resource) AS resource
      FROM process_rows
      GROUP BY process_id;
      CREATE VIEW stacks AS
      SELECT stack_id, any_value(frame_ids) AS frame_ids
      FROM stack_rows
      GROUP BY stack_id;
      CREATE VIEW frames AS
      SELECT
        frame_id,
        any_value(name) AS name,
        any_value(file) AS file,
        any_value(line) AS line,
        any_value(kind) AS kind
      FROM frame_rows
      GROUP BY frame_id;
      CREATE VIEW traces AS
      SELECT
        trace_id,
        min(start) AS start,
        max(epoch_ns(start) + duration_ns) - min(epoch_ns(start)) AS duration_ns,
        first(service ORDER BY parent_span_id IS NOT NULL, start, span_id) AS root_service,
        first(name ORDER BY parent_span_id IS NOT NULL, start, span_id) AS root_name,
        count(*) AS spans,
        count(*) FILTER (status = 'ERROR') AS errors,
        list(DISTINCT service ORDER BY service) AS services
      FROM spans
      GROUP BY trace_id;
      CREATE VIEW services AS
      SELECT
        service,
        count(*) AS spans,
        count(*) FILTER (kind IN ('SERVER', 'CONSUMER') OR parent_span_id IS NULL) AS requests,
        count(*) FILTER (status = 'ERROR') AS errors,
        min(start) AS first_start,
        max(start) AS last_start
      FROM spans
      GROUP BY service;
      """;

  private Schema() {}

  /** Makes the tables in a new file, or checks that those of the file are ours. */
  static void prepare(Connection connection, Path file) throws SQLException {
    if (countTables(connection) > 0) {
      check(connection, file);
      return;
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute("BEGIN TRANSACTION");
      statement.execute(TABLES);
      statement.execute(VIEWS);
      statement.execute(
          "INSERT INTO sennit_store VALUES ("
              + VERSION
              + ", '"
              + productVersion()
              + "', get_current_timestamp()::TIMESTAMP)");
      statement.execute("COMMIT");
    }
  }

  /** Refuses a file whose tables are not those that this version knows. */
  static void check(Connection connection, Path file) throws SQLException {
    String other = file + ": it is a database, but not a store of Sennit";
    if (!hasVersion(connection)) {
      throw new StoreException(other);
    }
    String question = "SELECT schema_version, product_version FROM sennit_store";
    try (Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery(question)) {
      if (!answer.next()) {
        throw new StoreException(other);
      }
      int version = answer.getInt(1);
      if (version != VERSION) {
        throw new StoreException(
            file
                + ": it was written by "
                + (version > VERSION ? "a newer" : "an older")
                + " version of Sennit, "
                + answer.getString(2)
                + ", with tables of version "
                + version
                + "; this one, "
                + productVersion()
                + ", knows version "
                + VERSION);
      }
    }
  }

  private static long countTables(Connection connection) throws SQLException {
    return count(connection, "SELECT count(*) FROM duckdb_tables() WHERE NOT internal");
  }

  private static boolean hasVersion(Connection connection) throws SQLException {
    return count(
            connection, "SELECT count(*) FROM duckdb_tables() WHERE table_name = 'sennit_store'")
        > 0;
  }

  private static long count(Connection connection, String question) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery(question)) {
      answer.next();
      return answer.getLong(1);
    }
  }

  private static String productVersion() {
    @Nullable String version = Schema.class.getPackage().getImplementationVersion();
    return version == null ? "unpacked" : version;
  }
}
