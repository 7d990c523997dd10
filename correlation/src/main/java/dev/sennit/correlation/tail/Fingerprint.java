/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.tail;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;

/**
 * The beginning of a file: numbers of files are used again, and a file that was emptied keeps its
 * own.
 *
 * @param length of the beginning, in bytes
 * @param sum a checksum of it
 */
record Fingerprint(int length, long sum) {
  static final Fingerprint NONE = new Fingerprint(0, 0);

  /** Less than this is too little to know a file by, under another number. */
  private static final int ENOUGH = 16;

  private static final int LONGEST = 1024;

  /** Of as much as there is now, up to a bound. */
  static Fingerprint of(FileChannel file) throws IOException {
    return of(file, LONGEST);
  }

  private static Fingerprint of(FileChannel file, int length) throws IOException {
    byte[] bytes = new byte[length];
    return of(bytes, Bytes.read(file, 0, bytes));
  }

  /** Of a file that begins with these bytes. */
  static Fingerprint of(byte[] bytes, int size) {
    int length = Math.min(size, LONGEST);
    CRC32C sum = new CRC32C();
    sum.update(bytes, 0, length);
    return length == 0 ? NONE : new Fingerprint(length, sum.getValue());
  }

  boolean isWhole() {
    return length == LONGEST;
  }

  boolean isTelling() {
    return length >= ENOUGH;
  }

  /** Whether the file begins in this way. */
  boolean fits(FileChannel file) throws IOException {
    return length == 0 || of(file, length).equals(this);
  }
}
