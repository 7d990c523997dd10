/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp;

import java.io.Flushable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Streams JSON by the rules of OTLP/JSON: 64-bit integers are decimal strings, ids are hex, other
 * bytes base64, doubles that JSON cannot say are the strings "NaN", "Infinity" and "-Infinity".
 * Commas and indentation are its business, names (lowerCamelCase) are the caller's. It does not
 * close its stream. Not safe for use by several threads.
 */
public final class JsonEncoder implements Flushable {
  private static final int MAX_DEPTH = 64;
  private static final byte[] HEX = ascii("0123456789abcdef");
  private static final byte[] BASE64 =
      ascii("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");

  /** More than the longest piece written at once: a long of 20 characters, an escape of six. */
  private static final int ROOM = 32;

  private final OutputStream out;
  private final boolean pretty;
  private final byte[] buffer = new byte[16 * 1024];
  private int length;

  /** By depth: whether something stands already in the object or array. */
  private final boolean[] filled = new boolean[MAX_DEPTH + 1];

  private int depth;
  private boolean named;

  private JsonEncoder(OutputStream out, boolean pretty) {
    this.out = out;
    this.pretty = pretty;
  }

  public static JsonEncoder compact(OutputStream out) {
    return new JsonEncoder(out, false);
  }

  /** One member a line, indented by two spaces. */
  public static JsonEncoder pretty(OutputStream out) {
    return new JsonEncoder(out, true);
  }

  public void beginObject() throws IOException {
    begin('{');
  }

  public void endObject() throws IOException {
    end('}');
  }

  public void beginArray() throws IOException {
    begin('[');
  }

  public void endArray() throws IOException {
    end(']');
  }

  /** The name of the member whose value comes next. */
  public void name(String name) throws IOException {
    separate();
    quoted(name);
    put(':');
    if (pretty) {
      put(' ');
    }
    named = true;
  }

  public void value(String value) throws IOException {
    separate();
    quoted(value);
  }

  public void value(boolean value) throws IOException {
    separate();
    plain(value ? "true" : "false");
  }

  /** A 32-bit integer, which is a JSON number. */
  public void value(int value) throws IOException {
    separate();
    decimal(value);
  }

  /** A 64-bit integer as a JSON number, for formats that are not OTLP's. */
  public void number(long value) throws IOException {
    separate();
    decimal(value);
  }

  /** A signed 64-bit integer, which is a string. */
  public void int64(long value) throws IOException {
    separate();
    put('"');
    decimal(value);
    put('"');
  }

  /** An unsigned 64-bit integer, which is a string. */
  public void uint64(long value) throws IOException {
    separate();
    put('"');
    if (value >= 0) {
      decimal(value);
    } else {
      plain(Long.toUnsignedString(value));
    }
    put('"');
  }

  public void value(double value) throws IOException {
    separate();
    if (Double.isFinite(value)) {
      plain(Double.toString(value));
    } else {
      put('"');
      plain(Double.toString(value));
      put('"');
    }
  }

  /** An id of 16 bytes as hex. */
  public void hex(long high, long low) throws IOException {
    separate();
    put('"');
    hexDigits(high);
    hexDigits(low);
    put('"');
  }

  /** An id of 8 bytes as hex. */
  public void hex(long id) throws IOException {
    separate();
    put('"');
    hexDigits(id);
    put('"');
  }

  /** All that the stream has, as base64; it is not closed. */
  public void base64(InputStream in) throws IOException {
    separate();
    put('"');
    byte[] bytes = new byte[3 * 1024];
    int count;
    // Only the last piece is shorter, so only there can a group be incomplete.
    while ((count = in.readNBytes(bytes, 0, bytes.length)) > 0) {
      base64(bytes, count);
    }
    put('"');
  }

  /** Hands all that was written to the stream. */
  @Override
  public void flush() throws IOException {
    out.write(buffer, 0, length);
    length = 0;
    out.flush();
  }

  private void begin(char bracket) throws IOException {
    if (depth == MAX_DEPTH) {
      throw new IllegalStateException("more than " + MAX_DEPTH + " objects and arrays are nested");
    }
    separate();
    put(bracket);
    filled[++depth] = false;
  }

  private void end(char bracket) throws IOException {
    if (depth == 0 || named) {
      throw new IllegalStateException(
          "'" + bracket + "' closes nothing, or a name has no value; depth is " + depth);
    }
    boolean content = filled[depth--];
    if (content && pretty) {
      newLine();
    }
    put(bracket);
  }

  private void separate() throws IOException {
    if (named) {
      named = false;
      return;
    }
    if (filled[depth]) {
      put(',');
    }
    filled[depth] = true;
    if (pretty && depth > 0) {
      newLine();
    }
  }

  private void newLine() throws IOException {
    put('\n');
    for (int i = 0; i < depth; i++) {
      room();
      buffer[length++] = ' ';
      buffer[length++] = ' ';
    }
  }

  private void quoted(String text) throws IOException {
    put('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      room();
      if (c == '"' || c == '\\') {
        buffer[length++] = '\\';
        buffer[length++] = (byte) c;
      } else if (c < 0x20 || c == 0x7F) {
        control(c);
      } else if (c < 0x80) {
        buffer[length++] = (byte) c;
      } else if (c == '\u2028' || c == '\u2029') {
        // Valid JSON, but the end of a line in the JavaScript of old, in which people embed it.
        buffer[length++] = '\\';
        escape(c);
      } else {
        length = Utf8.encodeBeyondAscii(text, i, buffer, length);
        if (Utf8.isPair(text, i)) {
          i++;
        }
      }
    }
    put('"');
  }

  private void control(char c) {
    buffer[length++] = '\\';
    switch (c) {
      case '\n' -> buffer[length++] = 'n';
      case '\r' -> buffer[length++] = 'r';
      case '\t' -> buffer[length++] = 't';
      case '\b' -> buffer[length++] = 'b';
      case '\f' -> buffer[length++] = 'f';
      default -> escape(c);
    }
  }

  private void escape(char c) {
    buffer[length++] = 'u';
    for (int shift = 12; shift >= 0; shift -= 4) {
      buffer[length++] = HEX[c >> shift & 0xF];
    }
  }

  private void decimal(long value) throws IOException {
    room();
    if (value == Long.MIN_VALUE) {
      plain("-9223372036854775808");
      return;
    }
    long rest = Math.abs(value);
    if (value < 0) {
      buffer[length++] = '-';
    }
    int digits = 1;
    for (long power = 10; digits < 19 && rest >= power; power *= 10) {
      digits++;
    }
    for (int i = digits - 1; i >= 0; i--) {
      buffer[length + i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    length += digits;
  }

  private void hexDigits(long value) throws IOException {
    room();
    for (int shift = 60; shift >= 0; shift -= 4) {
      buffer[length++] = HEX[(int) (value >>> shift) & 0xF];
    }
  }

  private void base64(byte[] bytes, int count) throws IOException {
    int whole = count - count % 3;
    for (int i = 0; i < whole; i += 3) {
      base64((bytes[i] & 0xFF) << 16 | (bytes[i + 1] & 0xFF) << 8 | (bytes[i + 2] & 0xFF), 4);
    }
    if (count - whole == 1) {
      base64((bytes[whole] & 0xFF) << 16, 2);
      plain("==");
    } else if (count - whole == 2) {
      base64((bytes[whole] & 0xFF) << 16 | (bytes[whole + 1] & 0xFF) << 8, 3);
      put('=');
    }
  }

  private void base64(int bits, int characters) throws IOException {
    room();
    for (int i = 0; i < characters; i++) {
      buffer[length++] = BASE64[bits >> (18 - 6 * i) & 0x3F];
    }
  }

  private void plain(String ascii) throws IOException {
    for (int i = 0; i < ascii.length(); i++) {
      put(ascii.charAt(i));
    }
  }

  private void put(char c) throws IOException {
    room();
    buffer[length++] = (byte) c;
  }

  private void room() throws IOException {
    if (buffer.length - length < ROOM) {
      out.write(buffer, 0, length);
      length = 0;
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
