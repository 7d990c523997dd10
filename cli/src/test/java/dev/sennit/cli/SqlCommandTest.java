/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.sennit.store.StoreSettings;
import dev.sennit.store.TelemetryStore;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqlCommandTest {
  private static final String HOSTILE = "GET \"/a,b\"\u001b[31m";

  @TempDir static Path folder;
  private static String file;

  @BeforeAll
  static void fill() {
    Path store = folder.resolve("asked.duckdb");
    file = store.toString();
    try (TelemetryStore filled = TelemetryStore.open(store, StoreSettings.NAMED)) {
      ScopeSpans.Builder spans = ScopeSpans.newBuilder();
      for (byte i = 1; i <= 3; i++) {
        spans.addSpans(
            Span.newBuilder()
                .setTraceId(
                    ByteString.copyFrom(
                        new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, i}))
                .setSpanId(ByteString.copyFrom(new byte[] {0, 0, 0, 0, 0, 0, 0, i}))
                .setName(i == 1 ? HOSTILE : "x".repeat(100))
                .setStartTimeUnixNano(i)
                .setEndTimeUnixNano(i + 10));
      }
      filled.traces(
          ExportTraceServiceRequest.newBuilder()
              .addResourceSpans(ResourceSpans.newBuilder().addScopeSpans(spans))
              .build());
    }
  }

  private static Sennit sql(String... arguments) {
    String[] all = new String[arguments.length + 3];
    all[0] = "sql";
    all[1] = "--store";
    all[2] = file;
    System.arraycopy(arguments, 0, all, 3, arguments.length);
    return Sennit.run(all);
  }

  @Test
  void theAnswerIsATableInWhichNothingHarmsATerminal() {
    Sennit asked = sql("SELECT duration_ns, name FROM spans ORDER BY start LIMIT 1");
    assertThat(asked.err()).isEmpty();
    assertThat(asked.status()).isZero();
    assertThat(asked.out()).isEqualTo("DURATION_NS  NAME\n10           GET \"/a,b\"\\u001b[31m\n");
  }

  @Test
  void onATerminalCellsAreCutAndRowsAreLimited() {
    Sennit asked =
        Sennit.run(
            new Terminal(true, false),
            "sql",
            "--rows",
            "1",
            "--store",
            file,
            "SELECT name FROM spans ORDER BY start DESC");
    assertThat(asked.out()).isEqualTo("NAME\n" + "x".repeat(59) + "…\n");
    assertThat(asked.err()).isEqualTo("sennit: there are more than 1 rows; see --rows\n");
  }

  @Test
  void programsGetJsonOrCsv() {
    String question = "SELECT span_id, duration_ns, name, NULL AS nothing FROM spans LIMIT 1";
    assertThat(sql("--json", question).out())
        .isEqualTo(
            "{\"columns\":[{\"name\":\"span_id\",\"type\":\"VARCHAR\"},"
                + "{\"name\":\"duration_ns\",\"type\":\"BIGINT\"},"
                + "{\"name\":\"name\",\"type\":\"VARCHAR\"},"
                + "{\"name\":\"nothing\",\"type\":\"\\\"NULL\\\"\"}],"
                + "\"rows\":[[\"0000000000000001\",10,\"GET \\\"/a,b\\\"\\u001B[31m\",null]]}\n");
    assertThat(sql("--csv", question).out())
        .isEqualTo(
            """
            span_id,duration_ns,name,nothing
            0000000000000001,10,"GET ""/a,b""\u001b[31m",
            """);
  }

  @Test
  void whatIsWrongIsOneLine() throws IOException {
    Path none = folder.resolve("none.duckdb");
    Sennit missing = Sennit.run("sql", "--store", none.toString(), "SELECT 1");
    assertThat(missing.status()).isEqualTo(2);
    assertThat(missing.err()).isEqualTo("sennit: " + none + ": there is no store\n");

    Sennit change = sql("DELETE FROM spans");
    assertThat(change.status()).isEqualTo(2);
    assertThat(change.err()).startsWith("sennit: only questions are answered").hasLineCount(1);

    Sennit mistake = sql("SELECT nme FROM spans");
    assertThat(mistake.status()).isEqualTo(2);
    assertThat(mistake.err()).contains("nme").hasLineCount(1);

    Path other = Files.writeString(folder.resolve("notes.txt"), "notes\n".repeat(1000));
    assertThat(Sennit.run("sql", "--store", other.toString(), "SELECT 1").err())
        .isEqualTo("sennit: " + other + ": it is not a store, but some other file\n");
  }

  @Test
  void theTablesAreExported() {
    Path exported = folder.resolve("exported");
    Sennit export = Sennit.run("export", "--store", file, "--parquet", exported.toString());
    assertThat(export.err()).isEmpty();
    assertThat(export.out().lines()).hasSize(8);
    assertThat(exported.resolve("spans.parquet")).isNotEmptyFile();
  }

  @Test
  void theStoreIsWhereStoresAreKeptUnlessItIsNamed() {
    assertThat(StoreOption.byDefault(Map.of("HOME", "/home/ann"), false))
        .hasToString("/home/ann/.local/state/sennit/sennit.duckdb");
    assertThat(StoreOption.byDefault(Map.of("HOME", "/x", "XDG_STATE_HOME", "/state"), false))
        .hasToString("/state/sennit/sennit.duckdb");
    assertThat(StoreOption.byDefault(Map.of("HOME", "/x", "XDG_STATE_HOME", "state"), false))
        .hasToString("/x/.local/state/sennit/sennit.duckdb");
    assertThat(StoreOption.byDefault(Map.of("HOME", "/root"), true))
        .hasToString("/var/lib/sennit/sennit.duckdb");
    assertThat(StoreOption.byDefault(Map.of("SENNIT_STORE", "/a/b"), true)).hasToString("/a/b");
  }
}
