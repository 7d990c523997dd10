/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.redis;

import dev.sennit.tracing.protocol.Channel;
import dev.sennit.tracing.protocol.Conversation;
import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.Protocol;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.traffic.Inflow;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Redis, by RESP2 and RESP3. */
public final class RedisProtocol implements Protocol {
  static final String NAME = "redis";

  /** Commands that people type, or that probes send, without the frame of an array. */
  private static final List<byte[]> INLINE =
      List.of(ascii("PING\r\n"), ascii("QUIT\r\n"), ascii("INFO\r\n"));

  /** Longer than any name of a command. */
  private static final int MOST_LOOKED_AT = 64;

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int usualPort() {
    return 6379;
  }

  @Override
  public Likeness judge(Side side, Inflow bytes) {
    if (bytes.size() == 0) {
      return Likeness.TOO_FEW;
    }
    return side == Side.REQUESTS ? judgeRequest(bytes) : judgeResponse(bytes);
  }

  /** {@code *2 $3 GET}: a number of arguments, the length of a word, a word of that length. */
  private static Likeness judgeRequest(Inflow in) {
    if (in.get(0) != '*') {
      for (byte[] inline : INLINE) {
        if (in.mayStartWith(inline)) {
          return in.size() < inline.length ? Likeness.TOO_FEW : Likeness.PERHAPS;
        }
      }
      return Likeness.NO;
    }
    int name = behindNumber(in, 0);
    if (name <= 0 || name >= in.size()) {
      return name < 0 ? Likeness.NO : Likeness.TOO_FEW;
    }
    int word = in.get(name) == '$' ? behindNumber(in, name) : -1;
    if (word <= 0) {
      return word < 0 ? Likeness.NO : Likeness.TOO_FEW;
    }
    int end = Math.min(in.size(), word + MOST_LOOKED_AT);
    for (int i = word; i < end; i++) {
      if (in.get(i) == '\r') {
        return i > word ? Likeness.CLEAR : Likeness.NO;
      }
      if (!Command.isWordPart(in.get(i))) {
        return Likeness.NO;
      }
    }
    return end < in.size() ? Likeness.NO : Likeness.TOO_FEW;
  }

  /** The index behind a type, digits and a line end; 0 if they are not all there, or -1. */
  private static int behindNumber(Inflow in, int at) {
    int i = at + 1;
    while (i < in.size() && i < at + 12 && in.get(i) >= '0' && in.get(i) <= '9') {
      i++;
    }
    if (i + 1 >= in.size()) {
      return i < in.size() && in.get(i) != '\r' ? -1 : 0;
    }
    return i > at + 1 && in.get(i) == '\r' && in.get(i + 1) == '\n' ? i + 2 : -1;
  }

  private static Likeness judgeResponse(Inflow in) {
    int type = in.get(0);
    if ("+-:$*_#,(!=%~>|".indexOf(type) < 0) {
      return Likeness.NO;
    }
    int end = Math.min(in.size(), MOST_LOOKED_AT);
    boolean text = type == '+' || type == '-';
    for (int i = 1; i < end; i++) {
      int c = in.get(i);
      if (c == '\r') {
        return i + 1 < in.size() && in.get(i + 1) != '\n' ? Likeness.NO : Likeness.PERHAPS;
      }
      boolean number = (c >= '0' && c <= '9') || "-+.,tfeEinfan".indexOf(c) >= 0;
      if (text ? c < ' ' || c > '~' : !number) {
        return Likeness.NO;
      }
    }
    if (end < MOST_LOOKED_AT) {
      return Likeness.TOO_FEW;
    }
    return text ? Likeness.PERHAPS : Likeness.NO;
  }

  @Override
  public Conversation begin(Channel channel) {
    return new RedisConversation(channel);
  }
}
