/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.metrics;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads Prometheus' text format 0.0.4 as strictly as it is described: a metric's help and type come
 * once and before its samples, samples of a metric stand together, and none comes twice.
 */
public final class PrometheusSamples {
  private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
  private static final Pattern COMMENT =
      Pattern.compile("# (HELP|TYPE) (" + NAME + ") ((?:[^\\\\\n]|\\\\[\\\\n])*)");
  private static final Pattern SAMPLE = Pattern.compile("(" + NAME + ")(\\{.*\\})? ([^ ]+)");
  private static final Pattern LABELS =
      Pattern.compile("\\{([a-z_]+=\"(?:[^\\\\\"\n]|\\\\[\\\\\"n])*\"(,|(?=\\})))*\\}");

  private PrometheusSamples() {}

  /** Values by metric and labels, as they stand in the text. */
  public static Map<String, Double> parse(String text) {
    if (!text.endsWith("\n")) {
      throw new AssertionError("the last line does not end");
    }
    Map<String, Double> samples = new LinkedHashMap<>();
    Set<String> described = new HashSet<>();
    String metric = "";
    boolean typed = false;
    for (String line : text.split("\n")) {
      Matcher comment = COMMENT.matcher(line);
      Matcher sample = SAMPLE.matcher(line);
      if (comment.matches() && comment.group(1).equals("HELP")) {
        metric = comment.group(2);
        typed = false;
        check(described.add(metric), line);
      } else if (comment.matches()) {
        check(comment.group(2).equals(metric) && !typed, line);
        check(comment.group(3).equals(metric.endsWith("_total") ? "counter" : "gauge"), line);
        typed = true;
      } else {
        check(sample.matches() && sample.group(1).equals(metric) && typed, line);
        String labels = sample.group(2) == null ? "" : sample.group(2);
        check(labels.isEmpty() || LABELS.matcher(labels).matches(), line);
        check(samples.put(metric + labels, Double.valueOf(sample.group(3))) == null, line);
      }
    }
    return samples;
  }

  private static void check(boolean condition, String line) {
    if (!condition) {
      throw new AssertionError("not as the format has it: " + line);
    }
  }
}
