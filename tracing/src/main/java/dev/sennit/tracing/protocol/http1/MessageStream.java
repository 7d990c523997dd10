/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http1;

import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.traffic.Inflow;
import dev.sennit.tracing.traffic.Piece;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a connection: heads and bodies, one after the other. Where it has lost its place
 * it looks for a call whose bytes begin as a message does.
 */
final class MessageStream {
  /** What becomes of the messages. */
  interface Listener {
    Likeness begins(Inflow bytes);

    /** Whether a message begins here more probably than with the first byte at hand. */
    boolean beginsRather(Inflow bytes, int at);

    /**
     * A head has come.
     *
     * @param text a character for each byte
     * @param whole whether its end was seen
     * @return what follows; null if it is none after all
     */
    @Nullable Body head(String text, boolean whole, Piece begin, Piece end);

    /** The message is over. */
    void ended(Piece last, long bodySize);

    /** The rest of the message cannot be followed. */
    void lost(Lost reason);
  }

  private enum State {
    LOST,
    LOST_IN_CHUNKS,
    HEAD,
    LENGTH,
    CHUNK_SIZE,
    CHUNK_DATA,
    CHUNK_END,
    TRAILERS,
    UNTIL_END,
    HELD
  }

  private static final int LONGEST_HEAD = 1 << 16;
  private static final int LONGEST_CHUNK_LINE = 4096;

  /** More than this before a message is never taken for a part of it. */
  private static final int LONGEST_REMNANT = 32;

  private static final int MOST_DIGITS = 15;

  private final Inflow inflow;
  private final Listener listener;
  private State state;
  private int scanned;
  private long bodySize;
  private long movedBefore;
  private boolean holdNext;

  MessageStream(Inflow inflow, Listener listener, boolean whole) {
    this.inflow = inflow;
    this.listener = listener;
    this.state = whole ? State.HEAD : State.LOST;
  }

  Inflow inflow() {
    return inflow;
  }

  boolean hasBytes() {
    return inflow.size() > 0 || inflow.isBroken();
  }

  /** Whether a head has come, and its body has not ended. */
  boolean isInBody() {
    return switch (state) {
      case LENGTH, CHUNK_SIZE, CHUNK_DATA, CHUNK_END, TRAILERS, UNTIL_END -> true;
      default -> false;
    };
  }

  boolean isUntilEnd() {
    return state == State.UNTIL_END;
  }

  /** How much of the body has passed. */
  long bodySize() {
    return isUntilEnd() ? inflow.moved() - movedBefore : bodySize;
  }

  /** After this message nothing is read until {@link #release}. */
  void hold() {
    holdNext = true;
  }

  void release() {
    holdNext = false;
    if (state == State.HELD) {
      state = State.HEAD;
    }
  }

  /** Gives up the message and looks for the begin of another. */
  void resynchronise() {
    if (inflow.isSkipping()) {
      inflow.drop();
    }
    scanned = 0;
    state = State.LOST;
  }

  /** Understands one part of what is at hand. Whether there was one. */
  boolean step() {
    if (!hasBytes() && !isDone()) {
      return false;
    }
    return switch (state) {
      case LOST, LOST_IN_CHUNKS -> search();
      case HEAD -> readHead();
      case LENGTH -> isDone() && end();
      case CHUNK_SIZE -> readChunkSize();
      case CHUNK_DATA -> passedChunk();
      case CHUNK_END -> readChunkEnd();
      case TRAILERS -> readTrailers();
      case UNTIL_END -> passAll();
      case HELD -> readHeld();
    };
  }

  /** What was waited for was not seen, if there is a message nevertheless. */
  private boolean readHeld() {
    if (listener.begins(inflow) != Likeness.CLEAR) {
      return false;
    }
    release();
    return true;
  }

  private boolean isDone() {
    return (state == State.LENGTH || state == State.CHUNK_DATA) && !inflow.isSkipping();
  }

  private boolean end() {
    state = holdNext ? State.HELD : State.HEAD;
    scanned = 0;
    listener.ended(inflow.skipped(), bodySize);
    return true;
  }

  private boolean search() {
    Likeness likeness = judge();
    if (likeness == Likeness.CLEAR) {
      state = State.HEAD;
      return true;
    }
    if (likeness == Likeness.TOO_FEW && !inflow.isBroken()) {
      return false;
    }
    boolean last = state == State.LOST_IN_CHUNKS && endsWithLastChunk();
    inflow.skipRun();
    if (last) {
      end();
    }
    return true;
  }

  private Likeness judge() {
    int end = Math.min(inflow.size(), LONGEST_REMNANT);
    for (int at = inflow.nextRun(0); at < end; at = inflow.nextRun(at)) {
      if (listener.beginsRather(inflow, at)) {
        return Likeness.NO;
      }
    }
    return listener.begins(inflow);
  }

  /** A call that was seen to its end and ends as a chunked body does. */
  private boolean endsWithLastChunk() {
    int size = inflow.run();
    if (inflow.isRunBroken() || size < 5 || !inflow.latin1(size - 5, 5).equals("0\r\n\r\n")) {
      return false;
    }
    return size == 5 || (size > 6 && inflow.latin1(size - 7, 2).equals("\r\n"));
  }

  private boolean readHead() {
    if (inflow.size() > 0 && (inflow.get(0) == '\r' || inflow.get(0) == '\n')) {
      // RFC 9112, section 2.2: empty lines before a message are passed over.
      inflow.consume(1);
      scanned = 0;
      return true;
    }
    if (judge() == Likeness.NO) {
      return malformed();
    }
    int end = headEnd();
    boolean whole = end >= 0;
    if (!whole && !inflow.isBroken() && inflow.size() < LONGEST_HEAD) {
      return false;
    }
    int length = whole ? end : inflow.size();
    if (length == 0) {
      return giveUp(Lost.GAP, State.LOST);
    }
    bodySize = 0;
    Body body =
        listener.head(inflow.latin1(0, length), whole, inflow.piece(0), inflow.piece(length - 1));
    if (body == null) {
      return malformed();
    }
    scanned = 0;
    if (!whole) {
      return giveUp(inflow.isBroken() ? Lost.GAP : Lost.TOO_LARGE, State.LOST);
    }
    inflow.consume(length);
    begin(body);
    return true;
  }

  private boolean malformed() {
    scanned = 0;
    inflow.skipRun();
    state = State.LOST;
    listener.lost(Lost.MALFORMED);
    return true;
  }

  /** Leaves what is at hand, and the gap behind it. */
  private boolean giveUp(Lost reason, State next) {
    scanned = 0;
    inflow.resume();
    state = next;
    listener.lost(reason);
    return true;
  }

  private int headEnd() {
    int size = inflow.size();
    int line = inflow.indexOf('\n', Math.min(scanned, size));
    while (line >= 0) {
      scanned = line;
      if (line + 1 < size && inflow.get(line + 1) == '\n') {
        return line + 2;
      }
      if (line + 2 < size && inflow.get(line + 1) == '\r' && inflow.get(line + 2) == '\n') {
        return line + 3;
      }
      if (line + 2 >= size) {
        return -1;
      }
      line = inflow.indexOf('\n', line + 1);
    }
    return -1;
  }

  private void begin(Body body) {
    switch (body.kind()) {
      case LENGTH -> {
        bodySize = body.length();
        state = State.LENGTH;
        if (body.length() == 0) {
          end();
        } else {
          inflow.skip(body.length());
        }
      }
      case CHUNKED -> state = State.CHUNK_SIZE;
      case UNTIL_END -> {
        movedBefore = inflow.moved() - inflow.size();
        state = State.UNTIL_END;
      }
      case UNKNOWN -> {
        state = State.LOST;
        listener.lost(Lost.MALFORMED);
      }
    }
  }

  private boolean readChunkSize() {
    int line = inflow.indexOf('\n', 0);
    if (line < 0) {
      return missing(LONGEST_CHUNK_LINE);
    }
    long size = chunkSize(line);
    if (size < 0) {
      return giveUpChunks(Lost.MALFORMED);
    }
    inflow.consume(line + 1);
    if (size == 0) {
      state = State.TRAILERS;
    } else {
      bodySize += size;
      state = State.CHUNK_DATA;
      inflow.skip(size);
    }
    return true;
  }

  private long chunkSize(int line) {
    long size = 0;
    for (int i = 0; i <= line; i++) {
      int b = inflow.get(i);
      int digit = Character.digit(b, 16);
      if (digit < 0) {
        boolean ends = b == ';' || b == '\r' || b == '\n' || b == ' ' || b == '\t';
        return ends && i > 0 ? size : -1;
      }
      if (i == MOST_DIGITS) {
        return -1;
      }
      size = size << 4 | digit;
    }
    return -1;
  }

  private boolean passedChunk() {
    if (inflow.isSkipping()) {
      return false;
    }
    state = State.CHUNK_END;
    return true;
  }

  private boolean readChunkEnd() {
    int needed = inflow.size() > 0 && inflow.get(0) == '\r' ? 2 : 1;
    if (inflow.size() < needed) {
      return missing(needed + 1);
    }
    if (inflow.get(needed - 1) != '\n') {
      return giveUpChunks(Lost.MALFORMED);
    }
    inflow.consume(needed);
    state = State.CHUNK_SIZE;
    return true;
  }

  private boolean readTrailers() {
    int line = inflow.indexOf('\n', 0);
    if (line < 0) {
      return missing(LONGEST_HEAD);
    }
    boolean empty = line == 0 || (line == 1 && inflow.get(0) == '\r');
    inflow.consume(line + 1);
    return !empty || end();
  }

  private boolean missing(int most) {
    if (inflow.isBroken()) {
      return giveUpChunks(Lost.GAP);
    }
    return inflow.size() >= most && giveUpChunks(Lost.TOO_LARGE);
  }

  private boolean giveUpChunks(Lost reason) {
    if (inflow.isBroken()) {
      return giveUp(reason, State.LOST_IN_CHUNKS);
    }
    inflow.skipRun();
    state = State.LOST_IN_CHUNKS;
    listener.lost(reason);
    return true;
  }

  private boolean passAll() {
    inflow.skipRun();
    return true;
  }
}
