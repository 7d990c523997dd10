/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.kernel;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What wrk measured.
 *
 * @param median the latency that half of the requests stay below, in microseconds
 * @param tail the one for 99 of 100
 * @param rate requests a second
 * @param requests how many there were
 * @param errors how many were not answered
 */
record Load(double median, double tail, double rate, long requests, long errors) {
  private static final Pattern LATENCY = Pattern.compile("(50|99)%\\s+([0-9.]+)(us|ms|s)");
  private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([0-9.]+)");
  private static final Pattern REQUESTS = Pattern.compile("(\\d+) requests in");
  private static final Pattern ERRORS =
      Pattern.compile("(?:connect|read|write|timeout) (\\d+)|Non-2xx or 3xx responses: (\\d+)");

  /** Runs wrk, and reads what it prints. */
  static Load run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException("wrk fails: " + text);
    }
    double median = 0;
    double tail = 0;
    Matcher latency = LATENCY.matcher(text);
    while (latency.find()) {
      double value =
          Double.parseDouble(latency.group(2))
              * switch (latency.group(3)) {
                case "us" -> 1;
                case "ms" -> 1000;
                default -> 1_000_000;
              };
      if (latency.group(1).equals("50")) {
        median = value;
      } else {
        tail = value;
      }
    }
    long errors = 0;
    Matcher failures = ERRORS.matcher(text);
    while (failures.find()) {
      errors += Long.parseLong(failures.group(1) != null ? failures.group(1) : failures.group(2));
    }
    return new Load(median, tail, number(RATE, text), (long) number(REQUESTS, text), errors);
  }

  private static double number(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new IllegalStateException("wrk says nothing of " + pattern + ": " + text);
    }
    return Double.parseDouble(matcher.group(1));
  }
}
