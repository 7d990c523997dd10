/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel.ring;

/** What an event tells; the order is that of {@code enum event_kind} in the programs. */
public enum EventKind {
  NONE,
  ACCEPT,
  CONNECT,
  CLOSE,
  /** Bytes that a process read. */
  IN,
  /** Bytes that a process is about to write. */
  OUT,
  /** Of the bytes of the last OUT of the connection fewer went out. */
  SHORT,
  /** What was done about an outbound request. */
  REQUEST,
  LOG,
  /** Plaintext that a process read. */
  TLS_IN,
  /** Plaintext that a process has written. */
  TLS_OUT,
  /** A program begins; its name, padded with zeros, is what was captured. */
  EXEC,
  FORK,
  EXIT,
  /** The process may have published its context, or changed it. */
  CONTEXT,
  IO_URING,
  /** FIONREAD on a socket that must leave the sockhash. */
  UNREAD,
  SHUTDOWN,
  /** A thread has got a name, or has ended, and then the name is empty. */
  NAMED;

  private static final EventKind[] ALL = values();

  static EventKind of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : NONE;
  }
}
