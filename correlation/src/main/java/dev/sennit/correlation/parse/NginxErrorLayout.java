/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import org.jspecify.annotations.Nullable;

/** {@code 2026/11/15 18:02:40 [error] PID#TID: *CONNECTION message}, nginx's error log. */
final class NginxErrorLayout implements Layout {
  @Override
  public boolean read(Line line, Draft draft) {
    byte[] bytes = line.bytes;
    int end = line.end;
    int open = line.timeEnd + 1;
    if (!line.timed || open >= end || bytes[open] != '[') {
      return false;
    }
    int close = Ascii.find(bytes, open, Math.min(end, open + 16), ']');
    @Nullable Level level = close < 0 ? null : Level.of(bytes, open + 1, close);
    if (level == null || close + 2 >= end) {
      return false;
    }
    int hash = Ascii.digitsEnd(bytes, close + 2, end);
    if (hash == close + 2 || hash >= end || bytes[hash] != '#') {
      return false;
    }
    int colon = Ascii.digitsEnd(bytes, hash + 1, end);
    if (colon >= end || bytes[colon] != ':') {
      return false;
    }
    draft.time = line.time;
    draft.level(level);
    draft.pid(Ascii.number(bytes, close + 2, hash));
    // nginx calls 0 the thread of a worker that has only one, and prints its process there too.
    draft.tid(Ascii.number(bytes, hash + 1, colon));
    draft.body(bytes, Math.min(end, colon + 2), line.to);
    return true;
  }
}
