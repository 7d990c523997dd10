/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.tls;

/**
 * Where the stream of bytes stands that an application writes, if it is one of HTTP/1 requests: a
 * body that looks like a request is none. Once it is in doubt it stays so.
 */
final class RequestFraming {
  private static final int MOST_CHUNK_DIGITS = 15;

  private enum State {
    START,
    BODY,
    CHUNK_SIZE,
    CHUNK_EXTENSION,
    CHUNK_SIZE_END,
    CHUNK_DATA,
    CHUNK_DATA_END,
    CHUNK_DATA_LINE,
    TRAILER_START,
    TRAILER,
    TRAILER_END,
    LAST_END,
    UNKNOWN
  }

  private final RequestHead head = new RequestHead();
  private State state = State.START;
  private long left;
  private int digits;

  /** Where a header may be put into these bytes, the next of the stream; -1 for nowhere. */
  int place(byte[] bytes, int from, int to) {
    return state == State.START && head.parse(bytes, from, to) && !head.hasTraceparent
        ? head.lineEnd
        : -1;
  }

  boolean isUnknown() {
    return state == State.UNKNOWN;
  }

  void lose() {
    state = State.UNKNOWN;
  }

  /** These bytes have gone out. */
  void follow(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && state != State.UNKNOWN) {
      if (state == State.START) {
        at = begin(bytes, at, to);
      } else if (state == State.BODY || state == State.CHUNK_DATA) {
        int passed = (int) Math.min(left, to - at);
        at += passed;
        left -= passed;
        if (left == 0) {
          state = state == State.BODY ? State.START : State.CHUNK_DATA_END;
        }
      } else {
        state = next(bytes[at]);
        at++;
      }
    }
  }

  private int begin(byte[] bytes, int from, int to) {
    if (!head.parse(bytes, from, to)) {
      state = State.UNKNOWN;
    } else if (head.switches) {
      // What comes next may be of another protocol.
      state = State.UNKNOWN;
    } else if (head.chunked) {
      beginChunk();
    } else if (head.length > 0) {
      state = State.BODY;
      left = head.length;
    }
    return head.end;
  }

  private void beginChunk() {
    state = State.CHUNK_SIZE;
    left = 0;
    digits = 0;
  }

  private State next(byte octet) {
    return switch (state) {
      case CHUNK_SIZE -> size(octet);
      case CHUNK_EXTENSION ->
          octet == '\r' ? State.CHUNK_SIZE_END : octet == '\n' ? State.UNKNOWN : state;
      case CHUNK_SIZE_END ->
          octet != '\n' ? State.UNKNOWN : left == 0 ? State.TRAILER_START : State.CHUNK_DATA;
      case CHUNK_DATA_END -> octet == '\r' ? State.CHUNK_DATA_LINE : State.UNKNOWN;
      case CHUNK_DATA_LINE -> {
        if (octet == '\n') {
          beginChunk();
          yield state;
        }
        yield State.UNKNOWN;
      }
      case TRAILER_START -> octet == '\r' ? State.LAST_END : trailer(octet);
      case TRAILER -> octet == '\r' ? State.TRAILER_END : trailer(octet);
      case TRAILER_END -> octet == '\n' ? State.TRAILER_START : State.UNKNOWN;
      case LAST_END -> octet == '\n' ? State.START : State.UNKNOWN;
      default -> State.UNKNOWN;
    };
  }

  private static State trailer(byte octet) {
    return octet == '\n' ? State.UNKNOWN : State.TRAILER;
  }

  private State size(byte octet) {
    int digit = Character.digit(octet, 16);
    if (digit >= 0) {
      left = 16 * left + digit;
      digits++;
      return digits <= MOST_CHUNK_DIGITS ? State.CHUNK_SIZE : State.UNKNOWN;
    }
    if (digits == 0) {
      return State.UNKNOWN;
    }
    return switch (octet) {
      case '\r' -> State.CHUNK_SIZE_END;
      case ';', ' ', '\t' -> State.CHUNK_EXTENSION;
      default -> State.UNKNOWN;
    };
  }
}
