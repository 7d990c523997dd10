/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.profiles;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Lays the costs out as tables in Markdown; the table of strings stands beside the maps. */
final class DictionaryCostTables {
  private static final String TABLES = "DictionaryTableBenchmark.";
  private static final String STACKS = "StackTraceConversionBenchmark.";
  private static final String ENCODER = "ProtobufEncoderBenchmark.";

  private final List<Cost> costs;

  DictionaryCostTables(List<Cost> costs) {
    this.costs = costs;
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "| unique strings | hit rate | StringTable CPU ns (min..max) | wall | B"
            + " | HashMap and ArrayList CPU ns | wall | B | ratio"
            + " | HashMap only CPU ns | wall | B | ratio | goal | met |");
    lines.add("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    of(TABLES + "strings").forEach(ours -> lines.add(stringRow(ours)));
    lines.add("");
    lines.add("| table | unique entries | hit rate | CPU ns (min..max) | wall | B |");
    lines.add("|---|---|---|---|---|---|");
    for (String table : List.of("functions", "stacks")) {
      for (Cost cost : of(TABLES + table)) {
        lines.add(row(table, unique(cost), rate(cost), plain(cost)));
      }
    }
    lines.add("");
    lines.add("| stack depth | unique stacks | CPU ns a stack (min..max) | a frame | B |");
    lines.add("|---|---|---|---|---|");
    for (Cost cost : of(STACKS + "convert")) {
      String depth = parameter(cost, "stackDepth");
      double frame = cost.cpu().median() / Integer.parseInt(depth);
      lines.add(
          row(
              depth,
              parameter(cost, "uniqueStacks"),
              cost.cpu().print(),
              decimals(1, frame),
              bytes(cost)));
    }
    lines.add("");
    lines.add("| encoding of | CPU ns a value (min..max) | wall | B |");
    lines.add("|---|---|---|---|");
    for (Cost cost : costs) {
      if (cost.benchmark().startsWith(ENCODER)) {
        String what = cost.benchmark().substring(ENCODER.length());
        String size = parameter(cost, "bytes");
        lines.add(row(size.isEmpty() ? what : what + ", bytes: " + size, plain(cost)));
      }
    }
    return lines;
  }

  /** The costs of one request each. */
  private List<Cost> of(String benchmark) {
    return costs.stream()
        .filter(cost -> cost.benchmark().equals(benchmark))
        .map(
            cost ->
                benchmark.startsWith(TABLES)
                    ? cost.each(
                        Requests.count(
                            Integer.parseInt(unique(cost)), Double.parseDouble(rate(cost))))
                    : cost)
        .toList();
  }

  private String stringRow(Cost ours) {
    Cost same = peer("stringsInHashMap", ours.parameters());
    Cost less = peer("stringsInHashMapOnly", ours.parameters());
    return row(
        unique(ours),
        rate(ours),
        plain(ours),
        plain(same),
        decimals(2, ratio(ours, same)),
        plain(less),
        decimals(2, ratio(ours, less)),
        "<= 1",
        ratio(ours, same) <= 1 && ratio(ours, less) <= 1 ? "yes" : "NO");
  }

  private Cost peer(String method, Map<String, String> parameters) {
    return of(TABLES + method).stream()
        .filter(cost -> cost.parameters().equals(parameters))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(method + " was not measured: " + parameters));
  }

  /** Of the time by the clock or of the processor, whichever is worse for us. */
  private static double ratio(Cost ours, Cost peer) {
    return Math.max(
        ours.cpu().median() / peer.cpu().median(), ours.wall().median() / peer.wall().median());
  }

  private static String plain(Cost cost) {
    return cost.cpu().print() + " | " + decimals(1, cost.wall().median()) + " | " + bytes(cost);
  }

  private static String bytes(Cost cost) {
    return decimals(0, cost.bytes().median());
  }

  private static String unique(Cost cost) {
    return parameter(cost, "uniqueEntries");
  }

  private static String rate(Cost cost) {
    return parameter(cost, "hitRate");
  }

  private static String parameter(Cost cost, String name) {
    return cost.parameters().getOrDefault(name, "");
  }

  private static String row(String... cells) {
    return "| " + String.join(" | ", cells) + " |";
  }

  private static String decimals(int digits, double value) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
