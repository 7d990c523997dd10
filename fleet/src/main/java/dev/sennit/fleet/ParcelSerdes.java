/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.sennit.intake.Encoding;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import java.io.IOException;
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
          out.put(VERSION);
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
  static byte[] with(ExportTraceServiceRequest request, int head, Consumer<ByteBuffer> writeHead) {
    ByteBuffer out = ByteBuffer.allocate(head + request.getSerializedSize());
    out.put(VERSION);
    writeHead.accept(out);
    try {
      request.writeTo(CodedOutputStream.newInstance(out.array(), head, out.capacity() - head));
    } catch (IOException e) {
      throw new SerializationException("writing to memory", e);
    }
    return out.array();
  }

  static byte code(Encoding encoding) {
    return (byte) (encoding == Encoding.JSON ? 1 : 0);
  }

  static Encoding encoding(byte code) {
    return code == 1 ? Encoding.JSON : Encoding.PROTOBUF;
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

  static ExportTraceServiceRequest rest(ByteBuffer in) {
    try {
      return ExportTraceServiceRequest.parseFrom(in);
    } catch (InvalidProtocolBufferException e) {
      throw new SerializationException("a request that an instance wrote is not readable", e);
    }
  }
}
