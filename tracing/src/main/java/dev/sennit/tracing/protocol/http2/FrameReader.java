/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http2;

import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.traffic.Inflow;
import dev.sennit.tracing.traffic.Piece;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The frames of one direction. Data is passed over by its length; where the place of the next frame
 * is not known, one is looked for where a call begins.
 */
final class FrameReader {
  /** What becomes of the frames. */
  interface Listener {
    /**
     * A header block has ended.
     *
     * @param whole whether all of it was seen
     * @param promise whether it is of a request that the server promises to answer
     */
    void block(
        int stream,
        byte[] block,
        boolean whole,
        boolean endStream,
        boolean promise,
        Piece begin,
        Piece end);

    void data(int stream, long size, boolean endStream, Piece last);

    void reset(int stream, int code, Piece piece);

    void settings(byte[] payload);

    void goAway(int lastStream, Piece piece);

    /** Frames were missed. */
    void lost(Lost reason);
  }

  private enum State {
    PREFACE,
    FRAMES,
    LOST
  }

  private static final int LONGEST_BLOCK = 1 << 16;

  /** A header block that has begun. */
  private static final class Block {
    final int stream;
    final boolean endStream;
    final boolean promise;
    final Piece begin;
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    boolean whole = true;

    Block(Frame frame, Piece begin) {
      stream = frame.stream();
      endStream = frame.type() == Frame.HEADERS && frame.is(Frame.END_STREAM);
      promise = frame.type() == Frame.PUSH_PROMISE;
      this.begin = begin;
    }
  }

  private final Side side;
  private final Inflow inflow;
  private final Listener listener;
  private State state;
  private int longest;
  private @Nullable Block block;
  private @Nullable Frame passing;
  private long dataSize;
  private boolean begun;

  FrameReader(Side side, Inflow inflow, Listener listener, boolean whole) {
    this.side = side;
    this.inflow = inflow;
    this.listener = listener;
    this.longest = whole ? Frame.USUAL_LENGTH : Frame.LARGEST_LENGTH;
    this.state = !whole ? State.LOST : side == Side.REQUESTS ? State.PREFACE : State.FRAMES;
  }

  Inflow inflow() {
    return inflow;
  }

  boolean hasBytes() {
    return inflow.size() > 0 || inflow.isBroken();
  }

  /** Whether the preface was seen. */
  boolean isBegun() {
    return begun;
  }

  /** Frames of up to this length are to be expected. */
  void allow(int length) {
    longest = Math.max(longest, length);
  }

  /** Understands the next frame. Whether there was one. */
  boolean step() {
    if (passing != null) {
      return !inflow.isSkipping() && passed(passing);
    }
    if (!hasBytes()) {
      return false;
    }
    return switch (state) {
      case PREFACE -> readPreface();
      case FRAMES -> readFrame();
      case LOST -> search();
    };
  }

  private boolean readPreface() {
    if (!inflow.mayStartWith(Frame.PREFACE)) {
      return lose(Lost.MALFORMED);
    }
    if (inflow.size() < Frame.PREFACE.length) {
      return inflow.isBroken() && lose(Lost.GAP);
    }
    inflow.consume(Frame.PREFACE.length);
    begun = true;
    state = State.FRAMES;
    return true;
  }

  private boolean search() {
    Likeness likeness = Frame.judge(side, inflow);
    if (likeness == Likeness.TOO_FEW && !inflow.isBroken()) {
      return false;
    }
    if (likeness == Likeness.CLEAR || likeness == Likeness.PERHAPS) {
      state =
          side == Side.REQUESTS && inflow.mayStartWith(Frame.PREFACE)
              ? State.PREFACE
              : State.FRAMES;
    } else {
      inflow.skipRun();
    }
    return true;
  }

  private boolean lose(Lost reason) {
    block = null;
    state = State.LOST;
    if (inflow.isBroken()) {
      inflow.resume();
    } else {
      inflow.skipRun();
    }
    listener.lost(reason);
    return true;
  }

  private boolean readFrame() {
    if (inflow.size() < Frame.HEAD) {
      return inflow.isBroken() && lose(Lost.GAP);
    }
    Frame frame = Frame.at(inflow, 0);
    if (!frame.isPlausible(longest)) {
      return lose(Lost.MALFORMED);
    }
    boolean continues =
        frame.type() == Frame.CONTINUATION && block != null && block.stream == frame.stream();
    if ((block != null || frame.type() == Frame.CONTINUATION) && !continues) {
      // RFC 9113, section 6.10: nothing stands between the frames of a block. Some were missed.
      block = null;
      listener.lost(Lost.MALFORMED);
    }
    boolean dataLike = frame.type() == Frame.DATA || frame.type() > Frame.CONTINUATION;
    if (!dataLike && inflow.size() < frame.size() && !inflow.isBroken()) {
      return false;
    }
    int atHand = Math.min(inflow.size(), frame.size());
    switch (frame.type()) {
      case Frame.HEADERS, Frame.PUSH_PROMISE -> block = new Block(frame, inflow.piece(0));
      case Frame.DATA -> dataSize = dataSize(frame);
      default -> {}
    }
    boolean whole = atHand == frame.size();
    if (block != null) {
      addFragment(block, frame, atHand);
    }
    byte[] payload = !whole || dataLike ? null : inflow.bytes(Frame.HEAD, frame.length());
    inflow.skip(frame.size());
    if (inflow.isSkipping()) {
      passing = frame;
      return true;
    }
    return (payload != null && block == null) ? understood(frame, payload) : passed(frame);
  }

  private long dataSize(Frame frame) {
    boolean knowsPadding = frame.is(Frame.PADDED) && inflow.size() > Frame.HEAD;
    return knowsPadding ? Math.max(0, frame.length() - 1 - inflow.get(Frame.HEAD)) : frame.length();
  }

  /** What of a frame's payload belongs to the block: without padding, priority, promised stream. */
  private void addFragment(Block open, Frame frame, int atHand) {
    int from = Frame.HEAD;
    int to = frame.size();
    if (frame.type() != Frame.CONTINUATION) {
      if (frame.is(Frame.PADDED)) {
        to -= atHand > from ? inflow.get(from) : 0;
        from++;
      }
      from += frame.type() == Frame.PUSH_PROMISE ? 4 : frame.is(Frame.WITH_PRIORITY) ? 5 : 0;
    }
    int end = Math.min(to, atHand);
    if (end > from && open.bytes.size() + end - from <= LONGEST_BLOCK && open.whole) {
      open.bytes.writeBytes(inflow.bytes(from, end - from));
    } else {
      open.whole &= end == from;
    }
    open.whole &= to <= atHand;
  }

  private boolean understood(Frame frame, byte[] payload) {
    Piece piece = inflow.skipped();
    switch (frame.type()) {
      case Frame.SETTINGS -> {
        if (!frame.is(Frame.ACK)) {
          listener.settings(payload);
        }
      }
      case Frame.RST_STREAM -> listener.reset(frame.stream(), number(payload, 0), piece);
      case Frame.GOAWAY -> listener.goAway(number(payload, 0) & Integer.MAX_VALUE, piece);
      default -> {}
    }
    return true;
  }

  static int number(byte[] bytes, int at) {
    return (bytes[at] & 0xff) << 24
        | (bytes[at + 1] & 0xff) << 16
        | (bytes[at + 2] & 0xff) << 8
        | (bytes[at + 3] & 0xff);
  }

  /** All bytes of a frame have passed. */
  private boolean passed(Frame frame) {
    passing = null;
    Block open = block;
    if (frame.type() == Frame.DATA) {
      listener.data(frame.stream(), dataSize, frame.is(Frame.END_STREAM), inflow.skipped());
    } else if (open != null && frame.is(Frame.END_HEADERS)) {
      block = null;
      listener.block(
          open.stream,
          open.bytes.toByteArray(),
          open.whole,
          open.endStream,
          open.promise,
          open.begin,
          inflow.skipped());
    }
    return true;
  }
}
