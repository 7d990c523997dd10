/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The table in {@code layouts.txt}: a name, a record (its first line after {@code >}, its others
 * after {@code +}), and what the parser makes of it.
 */
class LayoutsTest {
  private static final long WRITTEN =
      Instant.parse("2026-11-15T18:02:41Z").getEpochSecond() * 1_000_000_000;

  /** One for all, as for the lines of one file: what came before must not matter. */
  private static final LineParser PARSER = new LineParser(ZoneOffset.UTC);

  private record Row(String name, String record, List<String> expected) {}

  @TestFactory
  Stream<DynamicTest> theTableHolds() throws IOException {
    return rows().stream()
        .map(
            row ->
                DynamicTest.dynamicTest(
                    row.name,
                    () -> {
                      byte[] bytes = row.record.getBytes(StandardCharsets.UTF_8);
                      Parsed parsed = PARSER.parse(bytes, 0, bytes.length, WRITTEN);
                      assertThat(Shown.of(parsed)).isEqualTo(row.expected);
                    }));
  }

  @Test
  void everyRecordBeginsAndItsOtherLinesDoNot() throws IOException {
    for (Row row : rows()) {
      boolean plain =
          row.name.contains("plain text") || row.name.matches("(Node|JVM|Apache, access).*");
      String[] lines = row.record.split("\n");
      for (int i = 0; i < lines.length; i++) {
        byte[] bytes = lines[i].getBytes(StandardCharsets.UTF_8);
        assertThat(PARSER.begins(bytes, 0, bytes.length))
            .as("%s, line %d: %s", row.name, i + 1, lines[i])
            .isEqualTo(i == 0 && (!plain || row.name.contains("word in front")));
      }
    }
  }

  @Test
  void aRecordIsFoundInTheMiddleOfAnArray() throws IOException {
    for (Row row : rows()) {
      byte[] bytes = ("{\"[<" + row.record + "\n2026").getBytes(StandardCharsets.UTF_8);
      Parsed parsed = PARSER.parse(bytes, 4, bytes.length - 5, WRITTEN);
      assertThat(Shown.of(parsed)).as(row.name).isEqualTo(row.expected);
    }
  }

  private static List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    try (InputStream table = LayoutsTest.class.getResourceAsStream("layouts.txt")) {
      if (table == null) {
        throw new IOException("layouts.txt is missing");
      }
      String name = "";
      String record = "";
      List<String> expected = new ArrayList<>();
      for (String line : new String(table.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        if (line.startsWith("# ")) {
          name = line.substring(2);
          expected = new ArrayList<>();
        } else if (line.startsWith("> ")) {
          record = line.substring(2).replace("^[", "\u001b");
        } else if (line.startsWith("+ ")) {
          record += "\n" + line.substring(2);
        } else if (line.isEmpty()) {
          rows.add(new Row(name, record, expected));
        } else {
          expected.add(line);
        }
      }
    }
    return rows;
  }
}
