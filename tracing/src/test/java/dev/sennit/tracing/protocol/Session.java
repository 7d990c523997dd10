/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What the two sides of a connection said, call by call, in the order of time; and the same in
 * other cuts. It does not change: each method gives another session.
 */
public final class Session {
  /** What one call moved. */
  public static final class Move {
    private final Side side;
    private final byte[] bytes;

    public Move(Side side, byte[] bytes) {
      this.side = side;
      this.bytes = bytes;
    }

    public Side side() {
      return side;
    }

    public byte[] bytes() {
      return bytes;
    }

    @Override
    public String toString() {
      return side + " " + new String(bytes, StandardCharsets.ISO_8859_1);
    }
  }

  private final List<Move> moves;

  private Session(List<Move> moves) {
    this.moves = List.copyOf(moves);
  }

  public static Session of(Move... moves) {
    return new Session(List.of(moves));
  }

  public static Session of(List<Move> moves) {
    return new Session(moves);
  }

  public List<Move> moves() {
    return moves;
  }

  public Session request(byte[] bytes) {
    return and(new Move(Side.REQUESTS, bytes));
  }

  public Session response(byte[] bytes) {
    return and(new Move(Side.RESPONSES, bytes));
  }

  /** Text, each character a byte; line ends as in the source become CR and LF. */
  public Session request(String text) {
    return request(wire(text));
  }

  public Session response(String text) {
    return response(wire(text));
  }

  public Session then(Session other) {
    List<Move> all = new ArrayList<>(moves);
    all.addAll(other.moves);
    return new Session(all);
  }

  private Session and(Move move) {
    List<Move> all = new ArrayList<>(moves);
    all.add(move);
    return new Session(all);
  }

  static byte[] wire(String text) {
    return text.replace("\r\n", "\n").replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
  }

  /** How many bytes both sides moved. */
  public int size() {
    return moves.stream().mapToInt(move -> move.bytes().length).sum();
  }

  /** Every call moves at most so many bytes. */
  public Session inPiecesOf(int size) {
    List<Move> all = new ArrayList<>();
    for (Move move : moves) {
      for (int i = 0; i < move.bytes().length; i += size) {
        int end = Math.min(move.bytes().length, i + size);
        all.add(new Move(move.side(), Arrays.copyOfRange(move.bytes(), i, end)));
      }
    }
    return new Session(all);
  }

  /** One of the calls becomes two, before a byte that counts from the begin of the session. */
  public Session cutAt(int at) {
    List<Move> all = new ArrayList<>();
    int before = 0;
    for (Move move : moves) {
      int cut = at - before;
      byte[] bytes = move.bytes();
      before += bytes.length;
      if (cut <= 0 || cut >= bytes.length) {
        all.add(move);
      } else {
        all.add(new Move(move.side(), Arrays.copyOfRange(bytes, 0, cut)));
        all.add(new Move(move.side(), Arrays.copyOfRange(bytes, cut, bytes.length)));
      }
    }
    return new Session(all);
  }

  /** Calls of one side that follow each other become one. */
  public Session joined() {
    List<Move> all = new ArrayList<>();
    for (Move move : moves) {
      if (!all.isEmpty() && all.getLast().side() == move.side()) {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(all.removeLast().bytes());
        both.writeBytes(move.bytes());
        all.add(new Move(move.side(), both.toByteArray()));
      } else {
        all.add(move);
      }
    }
    return new Session(all);
  }

  /** One call was not seen. */
  public Session without(int index) {
    List<Move> all = new ArrayList<>(moves);
    all.remove(index);
    return new Session(all);
  }

  /** The first calls were not seen. */
  public Session from(int index) {
    return new Session(moves.subList(index, moves.size()));
  }
}
