/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.tls;

import dev.sennit.agent.handoff.Relay;
import dev.sennit.agent.handoff.RequestReads;
import dev.sennit.agent.handoff.TaskTable;
import dev.sennit.context.thread.ContextSnapshot;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import org.jspecify.annotations.Nullable;

/**
 * What {@code SSLEngine}s encrypt and decrypt. An engine has no socket, and who moves its records
 * does so on any thread: the kernel learns the socket from a record of the handshake, which it sees
 * there and is told of here.
 */
final class EnginePlaintext {
  /** What a record must have room for beside the header. */
  private static final int ROOM = 512;

  private final SessionTable sessions;
  private final Tellings tellings;
  private final RequestReads reads;

  /** Whose the bytes are that wait to be encrypted, by the first buffer of each delivery. */
  private final TaskTable waiting = new TaskTable();

  EnginePlaintext(SessionTable sessions, Tellings tellings, RequestReads reads) {
    this.sessions = sessions;
    this.tellings = tellings;
    this.reads = reads;
  }

  /** Buffers are queued for an engine, and encrypted by whichever thread comes by. */
  void queued(List<?> buffers) {
    if (!buffers.isEmpty() && buffers.getFirst() instanceof ByteBuffer first) {
      waiting.put(first, Relay.current());
    }
  }

  /** Records are about to be decrypted, which may be done in place. */
  int @Nullable [] unwrapping(
      Object engine, ByteBuffer[] from, int offset, int length, ByteBuffer[] to, int first, int n) {
    TlsSession session = sessions.of(engine);
    if (length > 0 && session.wantsRecords()) {
      tellRecord(session, from[offset], from[offset].position(), from[offset].limit());
    }
    if (n == 1) {
      return null;
    }
    int[] positions = new int[n];
    for (int i = 0; i < n; i++) {
      positions[i] = to[first + i].position();
    }
    return positions;
  }

  void unwrapped(
      SSLEngineResult result,
      Object engine,
      ByteBuffer[] to,
      int first,
      int n,
      int @Nullable [] positions) {
    int produced = result.bytesProduced();
    if (produced <= 0) {
      return;
    }
    TlsSession session = sessions.of(engine);
    session.isEstablished();
    Telling telling = tellings.take();
    // A virtual thread must not move in between.
    long before = reads.before();
    int left = produced;
    for (int i = first; i < first + n && left > 0; i++) {
      int start = positions == null ? to[i].position() - produced : positions[i - first];
      while (start < to[i].position() && left > 0) {
        int count = Math.min(Math.min(to[i].position() - start, left), Telling.MOST);
        to[i].get(start, telling.bytes, Telling.PLAINTEXT, count);
        telling.plaintext(session, -1, Telling.READS, count);
        start += count;
        left -= count;
      }
    }
    reads.after(before);
    tellings.giveBack(telling);
  }

  /** Bytes are about to be encrypted; the result is for one of the others. */
  Telling wrapping(Object engine, ByteBuffer[] sources, int offset, int length) {
    Telling telling = tellings.take();
    TlsSession session = sessions.of(engine);
    telling.session = session;
    telling.sources = sources;
    telling.sourcesOffset = offset;
    telling.sourcesLength = length;
    byte[] unsent = session.unsent;
    if (unsent != null) {
      telling.replacement = unsent;
      return telling;
    }
    int size = 0;
    ByteBuffer first = null;
    for (int i = offset; i < offset + length && size < Telling.MOST; i++) {
      int count = Math.min(sources[i].remaining(), Telling.MOST - size);
      sources[i].get(sources[i].position(), telling.bytes, Telling.PLAINTEXT + size, count);
      size += count;
      first = first == null && count > 0 ? sources[i] : first;
    }
    telling.size = size;
    if (first != null) {
      telling.first = first;
      telling.carried = waiting.take(first);
      replace(telling, session, (SSLEngine) engine);
    }
    return telling;
  }

  private static void replace(Telling telling, TlsSession session, SSLEngine engine) {
    ContextSnapshot context = telling.carried;
    if (context == null && Relay.take(telling.context)) {
      context = telling.context;
    }
    if (context == null || context.isNone() || session.requests.isUnknown() || !Relay.isOn()) {
      return;
    }
    int start = Telling.PLAINTEXT;
    int place = session.requests.place(telling.bytes, start, start + telling.size);
    int most = Math.min(Telling.MOST, engine.getSession().getApplicationBufferSize()) - ROOM;
    int kept = Math.min(telling.size, most - TraceparentLine.SIZE);
    if (place < 0 || kept < place - start) {
      return;
    }
    byte[] grown = new byte[kept + TraceparentLine.SIZE];
    telling.place = place - start;
    System.arraycopy(telling.bytes, start, grown, 0, telling.place);
    int rest = TraceparentLine.write(context, grown, telling.place);
    System.arraycopy(telling.bytes, place, grown, rest, kept - telling.place);
    telling.replacement = grown;
  }

  ByteBuffer @Nullable [] instead(Telling telling) {
    byte[] replacement = telling.replacement;
    return replacement == null ? null : new ByteBuffer[] {ByteBuffer.wrap(replacement)};
  }

  /**
   * The application sees what was taken of its own bytes. This comes first: whatever else may be
   * wrong, they must not be sent twice.
   */
  SSLEngineResult wrapped(SSLEngineResult result, Telling telling, ByteBuffer[] to, int first) {
    int taken = result.bytesConsumed();
    SSLEngineResult own = result;
    if (telling.replacement != null) {
      int consumed = ownBytes(telling, taken);
      advance(telling, consumed);
      own =
          new SSLEngineResult(
              result.getStatus(),
              result.getHandshakeStatus(),
              consumed,
              result.bytesProduced(),
              result.sequenceNumber());
    }
    tellWrapped(own, telling, taken, to[first]);
    giveBack(telling);
    return own;
  }

  void notWrapped(Telling telling) {
    giveBack(telling);
  }

  /** What was not taken yet waits on. */
  private void giveBack(Telling telling) {
    ByteBuffer first = telling.first;
    if (first != null && telling.carried != null && first.hasRemaining()) {
      waiting.put(first, telling.carried);
    }
    tellings.giveBack(telling);
  }

  /** How many of the application's bytes are among those that were taken; notes what is unsent. */
  private static int ownBytes(Telling telling, int taken) {
    TlsSession session = telling.session;
    byte[] given = telling.replacement;
    if (session == null || given == null) {
      return taken;
    }
    if (session.unsent != null) {
      session.unsent =
          taken == given.length ? null : Arrays.copyOfRange(given, taken, given.length);
      return 0;
    }
    if (taken <= telling.place) {
      return taken;
    }
    int end = telling.place + TraceparentLine.SIZE;
    if (taken < end) {
      session.unsent = Arrays.copyOfRange(given, taken, end);
      return telling.place;
    }
    return taken - TraceparentLine.SIZE;
  }

  private static void advance(Telling telling, int count) {
    ByteBuffer[] sources = telling.sources;
    int left = count;
    for (int i = telling.sourcesOffset; sources != null && left > 0; i++) {
      int step = Math.min(left, sources[i].remaining());
      sources[i].position(sources[i].position() + step);
      left -= step;
    }
  }

  private void tellWrapped(SSLEngineResult own, Telling telling, int taken, ByteBuffer to) {
    TlsSession session = telling.session;
    if (session == null) {
      return;
    }
    if (taken <= 0) {
      int produced = own.bytesProduced();
      if (produced > 0 && session.wantsRecords() && to.position() >= produced) {
        tellRecord(session, to, to.position() - produced, to.position());
      }
      return;
    }
    session.isEstablished();
    int start = Telling.PLAINTEXT;
    if (own.bytesConsumed() > telling.size) {
      session.requests.lose();
    } else {
      session.requests.follow(telling.bytes, start, start + own.bytesConsumed());
    }
    if (telling.replacement != null) {
      System.arraycopy(telling.replacement, 0, telling.bytes, start, taken);
    }
    ContextSnapshot carried = telling.carried;
    ContextSnapshot before = carried == null ? null : Relay.enter(carried);
    telling.plaintext(session, -1, Telling.WRITES, Math.min(taken, Telling.MOST));
    if (before != null) {
      Relay.leave(before);
    }
  }

  private void tellRecord(TlsSession session, ByteBuffer records, int start, int end) {
    Telling telling = tellings.take();
    if (telling.record(session, records, start, end)) {
      session.toldRecord();
    }
    tellings.giveBack(telling);
  }
}
