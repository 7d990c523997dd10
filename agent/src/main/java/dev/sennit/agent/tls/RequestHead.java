/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.tls;

import java.nio.charset.StandardCharsets;

/** The head of a request of HTTP/1 (RFC 9112), as far as one must know it to add a header to it. */
final class RequestHead {
  private static final byte[] TRACEPARENT = ascii("traceparent");
  private static final byte[] CONTENT_LENGTH = ascii("content-length");
  private static final byte[] TRANSFER_ENCODING = ascii("transfer-encoding");
  private static final byte[] UPGRADE = ascii("upgrade");
  private static final byte[] CHUNKED = ascii("chunked");
  private static final byte[] CONNECT = ascii("connect ");
  private static final byte[] VERSION = ascii(" http/1.");
  private static final int LONGEST_METHOD = 20;
  private static final int MOST_DIGITS = 18;

  /** Behind the request line, and behind the blank line. */
  int lineEnd;

  int end;
  boolean hasTraceparent;
  boolean switches;
  boolean chunked;

  /** -1 where none is given. */
  long length;

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Whether these bytes begin with a whole head whose body has a length that is not in doubt. */
  boolean parse(byte[] bytes, int from, int to) {
    hasTraceparent = false;
    chunked = false;
    length = -1;
    lineEnd = endOfLine(bytes, from, to);
    if (lineEnd < 0 || !isRequestLine(bytes, from, lineEnd - 2)) {
      return false;
    }
    switches = startsWith(bytes, from, to, CONNECT);
    int line = lineEnd;
    while (true) {
      int next = endOfLine(bytes, line, to);
      if (next < 0) {
        return false;
      }
      if (next == line + 2) {
        end = next;
        return !(chunked && length >= 0);
      }
      if (!header(bytes, line, next - 2)) {
        return false;
      }
      line = next;
    }
  }

  /** A line ends with CR and LF; where either comes alone, readers differ. */
  private static int endOfLine(byte[] bytes, int from, int to) {
    for (int at = from; at < to; at++) {
      if (bytes[at] == '\n') {
        return -1;
      }
      if (bytes[at] == '\r') {
        return at + 1 < to && bytes[at + 1] == '\n' ? at + 2 : -1;
      }
    }
    return -1;
  }

  private static boolean isRequestLine(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && at - from <= LONGEST_METHOD && bytes[at] >= 'A' && bytes[at] <= 'Z') {
      at++;
    }
    int version = to - VERSION.length - 1;
    return at > from
        && at < version
        && bytes[at] == ' '
        && startsWith(bytes, version, to, VERSION)
        && (bytes[to - 1] == '0' || bytes[to - 1] == '1');
  }

  private boolean header(byte[] bytes, int from, int to) {
    int colon = from;
    while (colon < to && bytes[colon] != ':') {
      // No name has blanks: this is the continuation of a line, or none of this protocol.
      if (bytes[colon] <= ' ') {
        return false;
      }
      colon++;
    }
    if (colon == from || colon == to) {
      return false;
    }
    int value = colon + 1;
    int valueEnd = to;
    while (value < valueEnd && isBlank(bytes[value])) {
      value++;
    }
    while (value < valueEnd && isBlank(bytes[valueEnd - 1])) {
      valueEnd--;
    }
    if (is(bytes, from, colon, TRACEPARENT)) {
      hasTraceparent = true;
    } else if (is(bytes, from, colon, UPGRADE)) {
      switches = true;
    } else if (is(bytes, from, colon, TRANSFER_ENCODING)) {
      boolean known = !chunked && is(bytes, value, valueEnd, CHUNKED);
      chunked = true;
      return known;
    } else if (is(bytes, from, colon, CONTENT_LENGTH)) {
      return length < 0 && length(bytes, value, valueEnd);
    }
    return true;
  }

  private boolean length(byte[] bytes, int from, int to) {
    if (from == to || to - from > MOST_DIGITS) {
      return false;
    }
    length = 0;
    for (int at = from; at < to; at++) {
      if (bytes[at] < '0' || bytes[at] > '9') {
        return false;
      }
      length = 10 * length + bytes[at] - '0';
    }
    return true;
  }

  private static boolean isBlank(byte octet) {
    return octet == ' ' || octet == '\t';
  }

  private static boolean is(byte[] bytes, int from, int to, byte[] lowerCase) {
    return to - from == lowerCase.length && startsWith(bytes, from, to, lowerCase);
  }

  private static boolean startsWith(byte[] bytes, int from, int to, byte[] lowerCase) {
    if (from < 0 || to - from < lowerCase.length) {
      return false;
    }
    for (int i = 0; i < lowerCase.length; i++) {
      int octet = bytes[from + i];
      if ((octet >= 'A' && octet <= 'Z' ? octet + 32 : octet) != lowerCase[i]) {
        return false;
      }
    }
    return true;
  }
}
