/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.tls;

import org.jspecify.annotations.Nullable;

/** What is known of one socket or engine. */
final class TlsSession {
  /** A handshake has few records that say which socket it is, and the first one does. */
  private static final int MOST_RECORDS = 8;

  private final long number;

  /** Follows what the application writes. */
  final RequestFraming requests = new RequestFraming();

  /** The rest of a header of which a record had room for the begin only. */
  byte @Nullable [] unsent;

  private volatile int records;

  TlsSession(long number) {
    this.number = number;
  }

  long number() {
    return number;
  }

  boolean wantsRecords() {
    return records < MOST_RECORDS;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one more or less does not matter
  void toldRecord() {
    records++;
  }

  /** Data has gone through: the handshake is over. */
  void isEstablished() {
    if (records != MOST_RECORDS) {
      records = MOST_RECORDS;
    }
  }
}
