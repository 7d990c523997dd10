/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.tracing.protocol.Protocol;
import dev.sennit.tracing.protocol.RecordedServerTest;
import dev.sennit.tracing.protocol.Replay;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** What is to be told of statements, for servers that take SQL. */
public abstract class SqlServerTest extends RecordedServerTest {
  private final String system;
  protected String namespace;

  /** Something that a server refuses. */
  protected interface Failing {
    void run() throws SQLException;
  }

  protected SqlServerTest(Protocol protocol, int healing, String system, String namespace) {
    super(protocol, healing);
    this.system = system;
    this.namespace = namespace;
  }

  /** What the server calls a failure, as it is told. */
  protected abstract String code(SQLException failure);

  protected final void expect(String summary, String operation, String target, String text) {
    List<String> attributes =
        new ArrayList<>(
            List.of(
                "db.system.name", system,
                "db.namespace", namespace,
                "db.query.text", text,
                "db.query.summary", summary));
    if (!operation.isEmpty()) {
      attributes.addAll(List.of("db.operation.name", operation));
    }
    if (!target.isEmpty()) {
      String key = operation.equals("CALL") ? "db.stored_procedure.name" : "db.collection.name";
      attributes.addAll(List.of(key, target));
    }
    expected.add(Replay.line(summary, attributes.toArray(new String[0])));
  }

  /** The last one that is expected has failed. */
  protected final void expectFailed(String code) {
    String last = expected.removeLast();
    if (!code.equals("_OTHER")) {
      last = last.replaceFirst(" db.system.name=", " db.response.status_code=" + code + "$0");
    }
    expected.add(last.replaceFirst("complete$", "failed: " + code + " complete"));
  }

  protected final void assertFails(String code, Failing action) {
    try {
      action.run();
    } catch (SQLException e) {
      assertThat(code(e)).isEqualTo(code);
      return;
    }
    throw new AssertionError("it did not fail with " + code);
  }

  protected static void drain(ResultSet rows) throws SQLException {
    try (rows) {
      while (rows.next()) {
        rows.getString(1);
      }
    }
  }
}
