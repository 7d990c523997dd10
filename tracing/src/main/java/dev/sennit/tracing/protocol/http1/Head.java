/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http1;

import dev.sennit.tracing.protocol.http.RequestHead;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The head of a message: its first line, and of its fields what decides how it goes on. It holds
 * the text only while it is read.
 */
final class Head {
  /** No length was said. */
  static final long NONE = -1;

  /** Lengths were said that contradict each other. */
  static final long CONTRADICTORY = -2;

  private static final int LONGEST_FOLDED = 4096;

  /** Where a piece is missing, the next message stands in the middle of a field of this one. */
  private static final Pattern SPLICED =
      Pattern.compile(
          "[A-Z]{3,16} (?:/|https?:)\\S* HTTP/1\\.[01]$|HTTP/1\\.[01] [1-5]\\d\\d(?: |$)");

  private final @Nullable RequestHead request;
  private final int status;
  private boolean malformed;
  private long length = NONE;
  private boolean coded;
  private boolean chunked;
  private boolean upgrades;
  private boolean upgradesToHttp2;
  private @Nullable String http2Settings;

  private Head(@Nullable RequestHead request, int status) {
    this.request = request;
    this.status = status;
  }

  /**
   * @param text a character for each byte; its end may be missing
   */
  static Head ofRequest(String text) {
    int line = endOfLine(text, 0);
    int method = text.indexOf(' ');
    int target = method < 0 ? -1 : text.indexOf(' ', method + 1);
    boolean whole = target >= 0 && target < line;
    int version = whole ? text.indexOf("HTTP/1.", target) : -1;
    RequestHead request =
        new RequestHead(
            version > 0 && version + 7 < line ? text.substring(version + 5, version + 8) : "1.1");
    request.field(":method", text.substring(0, Math.max(0, Math.min(method, line))));
    if (method >= 0 && method < line) {
      request.field(":path", text.substring(method + 1, whole ? target : line));
    }
    Head head = new Head(request, 0);
    head.readFields(text, line);
    return head;
  }

  static Head ofResponse(String text) {
    int status = 0;
    for (int i = 9; i < 12 && i < text.length(); i++) {
      status = status * 10 + Math.clamp(text.charAt(i) - '0', 0, 9);
    }
    Head head = new Head(null, status);
    head.readFields(text, endOfLine(text, 0));
    return head;
  }

  private static int endOfLine(String text, int from) {
    int end = text.indexOf('\n', from);
    return end < 0 ? text.length() : end;
  }

  private void readFields(String text, int firstLine) {
    String line = "";
    for (int at = firstLine + 1; at <= text.length() && !malformed; ) {
      int end = endOfLine(text, at);
      String next = text.substring(Math.min(at, end), end);
      at = end + 1;
      boolean folded = next.startsWith(" ") || next.startsWith("\t");
      // RFC 9112, section 5.2: a line that begins with a blank goes on with the value before.
      if (folded && !line.isEmpty()) {
        line = line.length() > LONGEST_FOLDED ? line : line.stripTrailing() + " " + next.strip();
      } else {
        readField(line);
        line = next.stripTrailing();
      }
    }
    readField(line);
  }

  private void readField(String line) {
    if (line.isEmpty() || malformed) {
      return;
    }
    int colon = line.indexOf(':');
    if (colon <= 0 || !isName(line, colon) || isSpliced(line)) {
      malformed = true;
      return;
    }
    String name = line.substring(0, colon).stripTrailing().toLowerCase(Locale.ROOT);
    String value = line.substring(colon + 1).strip();
    switch (name) {
      case "content-length" -> readLength(value);
      case "transfer-encoding" -> {
        coded = true;
        chunked = value.toLowerCase(Locale.ROOT).endsWith("chunked");
      }
      case "upgrade" -> {
        upgrades = true;
        upgradesToHttp2 = value.toLowerCase(Locale.ROOT).contains("h2c");
      }
      case "http2-settings" -> http2Settings = value;
      default -> {
        if (request != null && !name.startsWith(":")) {
          request.field(name, value);
        }
      }
    }
  }

  private static boolean isName(String line, int end) {
    int last = end;
    // RFC 9112, section 5.1 forbids blanks before the colon, and some still send them.
    while (last > 1 && line.charAt(last - 1) == ' ') {
      last--;
    }
    for (int i = 0; i < last; i++) {
      if (!StartLine.isToken(line.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSpliced(String line) {
    return line.contains("HTTP/1.") && SPLICED.matcher(line).find();
  }

  /** RFC 9112, section 6.3: the same length several times is that length. */
  private void readLength(String value) {
    for (String part : value.split(",", -1)) {
      String digits = part.strip();
      boolean valid = !digits.isEmpty() && digits.length() <= 18;
      for (int i = 0; i < digits.length(); i++) {
        valid &= digits.charAt(i) >= '0' && digits.charAt(i) <= '9';
      }
      long said = valid ? Long.parseLong(digits) : CONTRADICTORY;
      length = length == NONE || length == said ? said : CONTRADICTORY;
    }
  }

  /** Null of a response. */
  @Nullable RequestHead request() {
    return request;
  }

  int status() {
    return status;
  }

  boolean isMalformed() {
    return malformed;
  }

  boolean isUpgrade() {
    return upgrades;
  }

  boolean isUpgradeToHttp2() {
    return upgradesToHttp2;
  }

  @Nullable String http2Settings() {
    return http2Settings;
  }

  /** What follows the head, by RFC 9112, section 6.3, unless it cannot have a body at all. */
  Body body() {
    if (coded) {
      return chunked ? Body.CHUNKED : request == null ? Body.UNTIL_END : Body.UNKNOWN;
    }
    if (length == CONTRADICTORY) {
      return Body.UNKNOWN;
    }
    if (length == NONE) {
      return request == null ? Body.UNTIL_END : Body.EMPTY;
    }
    return Body.ofLength(length);
  }
}
