/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/** The name of a trace, as it came or as it is in the end. */
record TraceId(long high, long low) {
  static final int LENGTH = 16;

  static TraceId of(ByteString bytes) {
    return read(bytes.asReadOnlyByteBuffer());
  }

  static TraceId read(ByteBuffer in) {
    return new TraceId(in.getLong(), in.getLong());
  }

  /** Reads what {@link #toString} wrote. */
  static TraceId parse(String digits) {
    return new TraceId(
        HexFormat.fromHexDigitsToLong(digits, 0, 16),
        HexFormat.fromHexDigitsToLong(digits, 16, 32));
  }

  void write(ByteBuffer out) {
    out.putLong(high).putLong(low);
  }

  byte[] bytes() {
    byte[] bytes = new byte[LENGTH];
    write(ByteBuffer.wrap(bytes));
    return bytes;
  }

  ByteString message() {
    return ByteString.copyFrom(bytes());
  }

  /** The partition in which the trace is at home. Ids need not be random, so they are mixed. */
  int bucket(int buckets) {
    return Buckets.of(high * 31 + low, buckets);
  }

  @Override
  public String toString() {
    return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
  }
}
