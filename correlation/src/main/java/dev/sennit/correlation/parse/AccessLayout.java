/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import static dev.sennit.correlation.parse.Ascii.wordEnd;

import dev.sennit.otlp.AttributeValue;

/**
 * The access log of Apache and nginx, in the common and the combined format. All of it is fields,
 * so its message is the line as it is.
 */
final class AccessLayout implements Layout {
  private static final int LONGEST_USER = 256;

  @Override
  public boolean read(Line line, Draft draft) {
    byte[] bytes = line.bytes;
    int end = line.end;
    int host = wordEnd(bytes, line.from, Math.min(end, line.from + LONGEST_USER));
    int ident = wordEnd(bytes, Math.min(end, host + 1), Math.min(end, host + LONGEST_USER));
    int user = wordEnd(bytes, Math.min(end, ident + 1), Math.min(end, ident + LONGEST_USER));
    int open = user + 1;
    if (open + 28 >= end
        || bytes[open] != '['
        || !line.times.read(bytes, open + 1, end, line.written)
        || line.times.end >= end
        || bytes[line.times.end] != ']') {
      return false;
    }
    draft.time = line.times.nanos;
    draft.putName("client.address", bytes, line.from, host);
    if (user > ident + 2 || bytes[ident + 1] != '-') {
      draft.putName("user.name", bytes, ident + 1, user);
    }
    request(bytes, line.times.end + 2, end, draft);
    draft.body(bytes, line.from, line.to);
    return true;
  }

  private static void request(byte[] bytes, int from, int end, Draft draft) {
    int close = close(bytes, from, end);
    if (close < 0) {
      return;
    }
    int method = wordEnd(bytes, from + 1, close);
    int target = wordEnd(bytes, Math.min(close, method + 1), close);
    if (target < close && Ascii.startsWith(bytes, target + 1, close, "HTTP/")) {
      draft.putName("http.request.method", bytes, from + 1, method);
      draft.putText("url.original", bytes, method + 1, target);
      draft.putName("network.protocol.version", bytes, target + 6, close);
    }
    int status = Math.min(end, close + 2);
    int size = Math.min(end, wordEnd(bytes, status, end) + 1);
    int after = Math.min(end, wordEnd(bytes, size, end) + 1);
    putNumber(draft, "http.response.status_code", bytes, status, Math.max(status, size - 1));
    putNumber(
        draft, "http.response.body.size", bytes, size, Math.max(size, wordEnd(bytes, size, end)));
    int referer = close(bytes, after, end);
    int agent = referer < 0 ? end : referer + 2;
    int agentEnd = close(bytes, agent, end);
    if (agentEnd > 0) {
      draft.putName("user_agent.original", bytes, agent + 1, agentEnd);
    }
  }

  /** Where the quotes end that begin here, or -1. */
  private static int close(byte[] bytes, int quote, int end) {
    return quote < end && bytes[quote] == '"' ? Ascii.find(bytes, quote + 1, end, '"') : -1;
  }

  private static void putNumber(Draft draft, String name, byte[] bytes, int from, int to) {
    int end = wordEnd(bytes, from, to);
    long number = Ascii.number(bytes, from, end);
    if (number >= 0) {
      draft.put(name, AttributeValue.of(number));
    }
  }
}
