/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import dev.sennit.correlation.parse.Names.Name;
import dev.sennit.otlp.AttributeValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads an object of JSON into {@link Fields}. Objects inside of it are flattened, their names
 * joined by dots; what lies deeper than that, and arrays of more than plain values, stay JSON. It
 * minds the structure and not the encoding, so that a line with a few bad bytes is still read.
 */
final class Json {
  private static final int DEEPEST = 8;
  private static final int LONGEST_PATH = 256;
  private static final int MOST_ELEMENTS = 128;

  private final Fields fields;
  private final Names names;
  private final QuotedText quoted = new QuotedText();
  private final byte[] path = new byte[LONGEST_PATH];
  private byte[] bytes = {};
  private int at;
  private int to;

  Json(Fields fields, Names names) {
    this.fields = fields;
    this.names = names;
  }

  /** Where the object ends that begins here, or -1 if it is none. */
  int read(byte[] text, int from, int limit, long written) {
    bytes = text;
    at = from + 1;
    to = limit;
    fields.begin(written);
    boolean whole = from < limit && text[from] == '{' && object(0, 0);
    quoted.shrink();
    bytes = path;
    if (!whole) {
      return -1;
    }
    fields.end();
    return at;
  }

  /** Whether the whole of the range is an object. */
  boolean fields(byte[] text, int from, int limit, long written) {
    return read(text, from, limit, written) == limit;
  }

  private int peek() {
    while (at < to) {
      byte c = bytes[at];
      if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
        return c;
      }
      at++;
    }
    return -1;
  }

  private boolean take(char wanted) {
    if (peek() != wanted) {
      return false;
    }
    at++;
    return true;
  }

  /** Reads from behind the brace. */
  private boolean object(int depth, int prefix) {
    if (take('}')) {
      return true;
    }
    do {
      if (!take('"')) {
        return false;
      }
      at = quoted.read(bytes, at, to);
      if (at < 0) {
        return false;
      }
      int length = prefix;
      @Nullable Name name = null;
      if (prefix == 0) {
        name = names.of(quoted.bytes, quoted.from, quoted.to);
      }
      if (!take(':')) {
        return false;
      }
      int first = peek();
      if (prefix > 0 || first == '{') {
        length = extend(prefix);
      }
      if (first == '{' && depth < DEEPEST && length < LONGEST_PATH) {
        at++;
        if (!object(depth + 1, length)) {
          return false;
        }
      } else {
        if (name == null) {
          name = names.of(path, 0, length);
        }
        if (!value(first, name)) {
          return false;
        }
      }
    } while (take(','));
    return take('}');
  }

  /** Adds the name that was just read to the path; what is too long is cut. */
  private int extend(int prefix) {
    int length = prefix;
    if (prefix > 0 && length < LONGEST_PATH) {
      path[length++] = '.';
    }
    int part = Math.min(quoted.to - quoted.from, LONGEST_PATH - length);
    System.arraycopy(quoted.bytes, quoted.from, path, length, part);
    return length + part;
  }

  private boolean value(int first, Name name) {
    return switch (first) {
      case '"' -> quotedValue(name);
      case '[' -> arrayValue(name);
      case '{' -> raw(name);
      case 't', 'f' -> {
        fields.flag(name, first == 't');
        yield literal(first == 't' ? "true" : "false");
      }
      case 'n' -> literal("null");
      default -> {
        int from = at;
        boolean number = skipNumber();
        if (number) {
          fields.number(name, bytes, from, at);
        }
        yield number;
      }
    };
  }

  private boolean quotedValue(Name name) {
    at = quoted.read(bytes, at + 1, to);
    if (at < 0) {
      return false;
    }
    fields.text(name, quoted.bytes, quoted.from, quoted.to);
    return true;
  }

  private boolean arrayValue(Name name) {
    int from = at;
    @Nullable AttributeValue array = array();
    if (array == null) {
      at = from;
      return raw(name);
    }
    fields.value(name, array);
    return true;
  }

  private boolean literal(String text) {
    boolean is = Ascii.startsWith(bytes, at, to, text);
    at += text.length();
    return is;
  }

  private boolean skipNumber() {
    int from = at;
    boolean digit = false;
    for (; at < to; at++) {
      byte c = bytes[at];
      if (Ascii.isDigit(c)) {
        digit = true;
      } else if (c != '-' && c != '+' && c != '.' && c != 'e' && c != 'E') {
        break;
      }
    }
    return digit && (bytes[from] == '-' || Ascii.isDigit(bytes[from]));
  }

  /** An array of a few plain values; null of anything else. */
  private @Nullable AttributeValue array() {
    at++;
    List<AttributeValue> values = new ArrayList<>();
    if (take(']')) {
      return AttributeValue.of(values);
    }
    do {
      @Nullable AttributeValue element = element();
      if (element == null || values.size() == MOST_ELEMENTS) {
        return null;
      }
      values.add(element);
    } while (take(','));
    return take(']') ? AttributeValue.of(values) : null;
  }

  private @Nullable AttributeValue element() {
    int first = peek();
    if (first == '"') {
      int end = quoted.read(bytes, at + 1, to);
      if (end < 0) {
        return null;
      }
      at = end;
      return AttributeValue.of(text(quoted.bytes, quoted.from, quoted.to));
    }
    if (first == 't' || first == 'f') {
      return literal(first == 't' ? "true" : "false") ? AttributeValue.of(first == 't') : null;
    }
    int from = at;
    return first >= 0 && skipNumber() ? Numbers.value(bytes, from, at) : null;
  }

  /** Keeps an object or an array as it is written, however deep it goes. */
  private boolean raw(Name name) {
    int from = at;
    int depth = 0;
    while (at < to) {
      byte c = bytes[at++];
      if (c == '"') {
        at = skipQuoted();
      } else if (c == '{' || c == '[') {
        depth++;
      } else if ((c == '}' || c == ']') && --depth == 0) {
        fields.value(name, AttributeValue.of(text(bytes, from, at)));
        return true;
      }
    }
    return false;
  }

  private int skipQuoted() {
    for (int i = at; i < to; i++) {
      if (bytes[i] == '"') {
        return i + 1;
      }
      if (bytes[i] == '\\') {
        i++;
      }
    }
    return to;
  }

  private static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }
}
