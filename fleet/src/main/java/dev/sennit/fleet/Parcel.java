/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import com.google.protobuf.ByteString;
import dev.sennit.intake.Encoding;
import java.util.List;

/** What goes from one step of the topology to another, in one record. */
sealed interface Parcel {
  /**
   * Whole spans, on the way to the partition of their traces.
   *
   * @param source the partition of the topic that they came from
   */
  record Spans(Encoding encoding, int source, ByteString request) implements Parcel {}

  /**
   * What is compared of spans, on the way to the partition of their connections.
   *
   * @param source the partition that they come from
   * @param clock how far time has come there, in milliseconds since 1970
   */
  record Halves(int source, long clock, ByteString request) implements Parcel {}

  /** What is to be said to traces, on the way to their partition. */
  record Letters(List<Letter> letters) implements Parcel {
    public Letters {
      letters = List.copyOf(letters);
    }
  }

  /** A request that is done, in its encoding. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares it
  record Finished(byte[] value) implements Parcel {}

  /** What cannot go the usual way; why, is in the headers of its record. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares it
  record Dead(byte[] value) implements Parcel {}
}
