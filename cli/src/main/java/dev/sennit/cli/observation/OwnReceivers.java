/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.otlp.AttributeValue;
import dev.sennit.tracing.exchange.Exchange;
import java.util.HashSet;
import java.util.Set;

/**
 * The observed processes that receive what Sennit sends. Their lines are not read: one that writes
 * a line about each line that it receives would never come to an end.
 */
final class OwnReceivers {
  private static final String EXPORTER = "Sennit-OTLP-Exporter";
  private static final int MOST = 1024;

  private final Set<Integer> pids = new HashSet<>();

  /** A request has arrived. */
  void note(Exchange request) {
    if (pids.size() < MOST
        && request.attributes().get("user_agent.original")
            instanceof AttributeValue.Text(String agent)
        && agent.startsWith(EXPORTER)) {
      pids.add(request.begin().pid());
    }
  }

  boolean contains(int pid) {
    return pids.contains(pid);
  }

  void forget(int pid) {
    pids.remove(pid);
  }
}
