/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

/** An object of JSON, on one line or over several; lines behind it belong to its message. */
final class JsonLayout implements Layout {
  private final Json json;

  JsonLayout(Json json) {
    this.json = json;
  }

  @Override
  public boolean read(Line line, Draft draft) {
    byte[] bytes = line.bytes;
    if (bytes[line.from] != '{') {
      return false;
    }
    int end = json.read(bytes, line.from, line.to, line.written);
    if (end < 0) {
      return false;
    }
    int rest = Ascii.skipBlanks(bytes, end, line.to);
    if (rest < line.to && bytes[rest] != '\n' && bytes[rest] != '\r') {
      return false;
    }
    if (!draft.hasBody()) {
      draft.body(bytes, line.from, line.to);
    } else if (rest < line.to) {
      draft.appendToBody(bytes, rest, line.to);
    }
    return true;
  }
}
