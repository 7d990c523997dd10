/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.cli.local.LocalHost;
import dev.sennit.cli.local.Summary;
import dev.sennit.store.database.StoreException;
import java.util.ArrayList;
import java.util.List;

/** The summary of what a command saw, for a terminal. */
final class SummaryText {
  private static final int WIDEST = 100;

  private SummaryText() {}

  /** Its lines; none where nothing was seen. */
  static List<String> of(LocalHost host) {
    List<String> lines = new ArrayList<>();
    try {
      host.flush();
      for (Summary.Part part : Summary.of(host.queries())) {
        lines.add(part.title() + ":");
        Table table =
            new Table(part.rows().getFirst().stream().map(cell -> "").toArray(String[]::new));
        part.rows()
            .forEach(
                row ->
                    table.add(
                        row.stream()
                            .map(cell -> Printable.of(cell, WIDEST))
                            .toArray(String[]::new)));
        table.lines().stream().skip(1).map(line -> "  " + line).forEach(lines::add);
      }
    } catch (StoreException e) {
      lines.add("there is no summary: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return lines;
  }
}
