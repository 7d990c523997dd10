/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http2;

import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.traffic.Inflow;
import java.nio.charset.StandardCharsets;

/**
 * The head of a frame (RFC 9113, section 4.1), and how to tell one from other bytes.
 *
 * <pre>
 *   0..2 length of the payload │ 3 type │ 4 flags │ 5..8 stream, its first bit 0
 * </pre>
 */
record Frame(int length, int type, int flags, int stream) {
  static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  static final int HEAD = 9;

  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int PRIORITY = 2;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PUSH_PROMISE = 5;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;

  static final int END_STREAM = 1;
  static final int ACK = 1;
  static final int END_HEADERS = 4;
  static final int PADDED = 8;
  static final int WITH_PRIORITY = 0x20;

  /** What a payload may have unless a setting allows more. */
  static final int USUAL_LENGTH = 1 << 14;

  static final int LARGEST_LENGTH = (1 << 24) - 1;
  private static final int SETTING = 6;
  private static final int HIGHEST_SETTING = 0x10;

  static Frame at(Inflow bytes, int at) {
    int first = bytes.getInt(at);
    return new Frame(first >>> 8, first & 0xff, bytes.get(at + 4), bytes.getInt(at + 5));
  }

  boolean is(int flag) {
    return (flags & flag) != 0;
  }

  int size() {
    return HEAD + length;
  }

  /** Whether a frame may begin so, by what RFC 9113, section 6 demands of each type. */
  boolean isPlausible(int longest) {
    if (length > longest || stream < 0) {
      return false;
    }
    boolean odd = (stream & 1) == 1;
    return switch (type) {
      case DATA -> odd && (flags & ~(END_STREAM | PADDED)) == 0;
      case HEADERS ->
          odd && length > 0 && (flags & ~(END_STREAM | END_HEADERS | PADDED | WITH_PRIORITY)) == 0;
      case PRIORITY -> odd && length == 5 && flags == 0;
      case RST_STREAM -> stream != 0 && length == 4 && flags == 0;
      case SETTINGS ->
          stream == 0
              && length % SETTING == 0
              && (flags & ~ACK) == 0
              && (flags == 0 || length == 0);
      case PUSH_PROMISE -> odd && length > 4 && (flags & ~(END_HEADERS | PADDED)) == 0;
      case PING -> stream == 0 && length == 8 && (flags & ~ACK) == 0;
      case GOAWAY -> stream == 0 && length >= 8 && flags == 0;
      case WINDOW_UPDATE -> length == 4 && flags == 0;
      case CONTINUATION -> odd && (flags & ~END_HEADERS) == 0;
      default -> isExtension();
    };
  }

  /** ALTSVC, ORIGIN, PRIORITY_UPDATE, and those that are sent to see that they are ignored. */
  private boolean isExtension() {
    return type == 0xa || type == 0xc || type == 0x10 || type % 0x1f == 0xb;
  }

  static Likeness judge(Side side, Inflow bytes) {
    if (side == Side.REQUESTS && bytes.mayStartWith(PREFACE)) {
      return bytes.size() >= PREFACE.length ? Likeness.CLEAR : Likeness.TOO_FEW;
    }
    if (bytes.size() < HEAD) {
      return bytes.size() == 0 || bytes.get(0) == 0 ? Likeness.TOO_FEW : Likeness.NO;
    }
    int frames = 0;
    long at = 0;
    boolean settings = false;
    while (at + HEAD <= bytes.size()) {
      Frame frame = at(bytes, (int) at);
      if (!frame.isPlausible(USUAL_LENGTH) || frame.type > CONTINUATION) {
        return Likeness.NO;
      }
      settings |= frame.isSettings(bytes, (int) at);
      frames++;
      at += frame.size();
    }
    return frames > 1 || settings ? Likeness.CLEAR : Likeness.PERHAPS;
  }

  private boolean isSettings(Inflow bytes, int at) {
    if (type != SETTINGS || length == 0 || at + size() > bytes.size()) {
      return false;
    }
    for (int i = at + HEAD; i < at + size(); i += SETTING) {
      int setting = bytes.getShort(i);
      if (setting == 0 || setting > HIGHEST_SETTING) {
        return false;
      }
    }
    return true;
  }
}
