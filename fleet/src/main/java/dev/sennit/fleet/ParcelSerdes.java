/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.sennit.intake.Encoding;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;

/**
 * Parcels as bytes between the steps. A first byte says the version, so that what an older instance
 * wrote is not taken for something else.
 */
final class ParcelSerdes {
  private static final byte VERSION = 1;

  private ParcelSerdes() {}

  static Serde<Parcel.Spans> spans() {
    return Serdes.serdeFrom(
        (topic, spans) ->
            with(
                spans.request(),
                2 + Integer.BYTES,
                out -> out.put(code(spans.encoding())).putInt(spans.source())),
        (topic, bytes) -> {
          ByteBuffer in = open(bytes);
          Encoding encoding = encoding(in.get());
          return new Parcel.Spans(encoding, in.getInt(), rest(in));
        });
  }

  static Serde<Parcel.Halves> halves() {
    return Serdes.serdeFrom((topic, halves) -> bytes(halves), (topic, bytes) -> halves(bytes));
  }

  static byte[] bytes(Parcel.Halves halves) {
    return with(
        halves.request(),
        1 + Integer.BYTES + Long.BYTES,
        out -> out.putInt(halves.source()).putLong(halves.clock()));
  }

  static Parcel.Halves halves(byte[] bytes) {
    ByteBuffer in = open(bytes);
    return new Parcel.Halves(in.getInt(), in.getLong(), rest(in));
  }

  static Serde<Parcel.Letters> letters() {
    return Serdes.serdeFrom(
        (topic, letters) -> {
          ByteBuffer out = ByteBuffer.allocate(1 + letters.letters().size() * Letter.SIZE);
          begin(out);
          letters.letters().forEach(letter -> letter.write(out));
          return out.array();
        },
        (topic, bytes) -> {
          ByteBuffer in = open(bytes);
          List<Letter> letters = new ArrayList<>(in.remaining() / Letter.SIZE);
          while (in.hasRemaining()) {
            letters.add(Letter.read(in));
          }
          return new Parcel.Letters(letters);
        });
  }

  /** A request behind a head of known size. */
  static byte[] with(ByteString request, int head, Consumer<ByteBuffer> writeHead) {
    byte[] bytes = new byte[head + request.size()];
    ByteBuffer out = begin(ByteBuffer.wrap(bytes));
    writeHead.accept(out);
    request.copyTo(bytes, head);
    return bytes;
  }

  static byte code(Encoding encoding) {
    return (byte) (encoding == Encoding.JSON ? 1 : 0);
  }

  static Encoding encoding(byte code) {
    return code == 1 ? Encoding.JSON : Encoding.PROTOBUF;
  }

  static ByteBuffer begin(ByteBuffer out) {
    return out.put(VERSION);
  }

  static ByteBuffer open(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    byte version = in.get();
    if (version != VERSION) {
      throw new SerializationException(
          "a record of version " + version + ", but this instance knows version " + VERSION);
    }
    return in;
  }

  static ByteString rest(ByteBuffer in) {
    return UnsafeByteOperations.unsafeWrap(in.slice());
  }
}
