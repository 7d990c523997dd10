/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.local;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What traces are called that had another name at first. Samples come long after the spans, and
 * know the first name.
 */
final class TraceNames {
  private static final int MOST = 50_000;

  /** Ids in hexadecimal; the oldest first. */
  private final Map<String, String> names =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
          return size() > MOST;
        }
      };

  synchronized void named(String id, String newId) {
    if (!id.equals(newId)) {
      names.put(id, newId);
    }
  }

  /** The name that a trace has in the end; the same where it has only one. */
  synchronized String nameOf(String id) {
    return names.getOrDefault(id, id);
  }
}
