/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.tls;

import dev.sennit.agent.handoff.Relay;
import dev.sennit.agent.handoff.RequestReads;
import org.jspecify.annotations.Nullable;

/** What {@code SSLSocket}s read and write. */
final class SocketPlaintext {
  /** More than this in one call is not copied to put a header into it. */
  private static final int MOST_COPIED = 4 << 20;

  private final SessionTable sessions;
  private final Tellings tellings;
  private final RequestReads reads;
  private final SocketDescriptors descriptors;

  SocketPlaintext(
      SessionTable sessions, Tellings tellings, RequestReads reads, SocketDescriptors descriptors) {
    this.sessions = sessions;
    this.tellings = tellings;
    this.reads = reads;
    this.descriptors = descriptors;
  }

  /** Bytes were read, by this thread. */
  void read(int count, Object socket, byte[] bytes, int offset) throws Throwable {
    if (count <= 0) {
      return;
    }
    TlsSession session = sessions.of(socket);
    int descriptor = descriptors.of(socket);
    Telling telling = tellings.take();
    // A virtual thread must not move in between.
    long before = reads.before();
    tell(telling, session, descriptor, Telling.READS, bytes, offset, count);
    reads.after(before);
    tellings.giveBack(telling);
  }

  /**
   * Bytes are about to be written.
   *
   * @return what is to be written instead; null for the same
   */
  byte @Nullable [] writing(Object socket, byte[] bytes, int offset, int length) throws Throwable {
    TlsSession session = sessions.of(socket);
    int descriptor = descriptors.of(socket);
    Telling telling = tellings.take();
    byte[] grown = grown(telling, session.requests, bytes, offset, length);
    session.requests.follow(bytes, offset, offset + length);
    if (grown == null) {
      tell(telling, session, descriptor, Telling.WRITES, bytes, offset, length);
    } else {
      tell(telling, session, descriptor, Telling.WRITES, grown, 0, grown.length);
    }
    tellings.giveBack(telling);
    return grown;
  }

  private static byte @Nullable [] grown(
      Telling telling, RequestFraming requests, byte[] bytes, int offset, int length) {
    if (requests.isUnknown() || length > MOST_COPIED || !Relay.take(telling.context)) {
      return null;
    }
    int end = offset + Math.min(length, Telling.MOST);
    int place = requests.place(bytes, offset, end);
    if (place < 0) {
      return null;
    }
    byte[] grown = new byte[length + TraceparentLine.SIZE];
    System.arraycopy(bytes, offset, grown, 0, place - offset);
    int rest = TraceparentLine.write(telling.context, grown, place - offset);
    System.arraycopy(bytes, place, grown, rest, offset + length - place);
    return grown;
  }

  private static void tell(
      Telling telling,
      TlsSession session,
      int descriptor,
      int doing,
      byte[] bytes,
      int offset,
      int length) {
    for (int told = 0; told < length; told += Telling.MOST) {
      int count = Math.min(length - told, Telling.MOST);
      System.arraycopy(bytes, offset + told, telling.bytes, Telling.PLAINTEXT, count);
      telling.plaintext(session, descriptor, doing, count);
    }
  }
}
