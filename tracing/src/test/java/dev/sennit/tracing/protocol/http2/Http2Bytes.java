/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http2;

import java.io.ByteArrayOutputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.message.BasicHeader;
import org.apache.hc.core5.http2.hpack.HPackEncoder;
import org.apache.hc.core5.util.ByteArrayBuffer;

/** Writes the frames of one direction, with the table of its header blocks. */
final class Http2Bytes {
  private final HPackEncoder encoder = new HPackEncoder(4096, StandardCharsets.ISO_8859_1);
  private ByteArrayOutputStream out = new ByteArrayOutputStream();

  Http2Bytes preface() {
    out.writeBytes(Frame.PREFACE);
    return this;
  }

  Http2Bytes frame(int type, int flags, int stream, byte[] payload) {
    out.write(payload.length >>> 16);
    out.write(payload.length >>> 8);
    out.write(payload.length);
    out.write(type);
    out.write(flags);
    for (int shift = 24; shift >= 0; shift -= 8) {
      out.write(stream >>> shift);
    }
    out.writeBytes(payload);
    return this;
  }

  Http2Bytes settings(int... namesAndValues) {
    byte[] payload = new byte[namesAndValues.length * 3];
    for (int i = 0; i < namesAndValues.length; i += 2) {
      payload[i * 3 + 1] = (byte) namesAndValues[i];
      for (int j = 0; j < 4; j++) {
        payload[i * 3 + 2 + j] = (byte) (namesAndValues[i + 1] >>> (24 - 8 * j));
      }
    }
    return frame(Frame.SETTINGS, 0, 0, payload);
  }

  Http2Bytes acknowledge() {
    return frame(Frame.SETTINGS, Frame.ACK, 0, new byte[0]);
  }

  byte[] block(String... namesAndValues) {
    List<Header> headers = new ArrayList<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      headers.add(new BasicHeader(namesAndValues[i], namesAndValues[i + 1]));
    }
    ByteArrayBuffer buffer = new ByteArrayBuffer(256);
    try {
      encoder.encodeHeaders(buffer, headers, true);
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(e);
    }
    return buffer.toByteArray();
  }

  Http2Bytes headers(int stream, boolean end, String... namesAndValues) {
    int flags = Frame.END_HEADERS | (end ? Frame.END_STREAM : 0);
    return frame(Frame.HEADERS, flags, stream, block(namesAndValues));
  }

  Http2Bytes data(int stream, boolean end, int size) {
    return frame(Frame.DATA, end ? Frame.END_STREAM : 0, stream, new byte[size]);
  }

  Http2Bytes get(int stream, String path) {
    return headers(
        stream,
        true,
        ":method",
        "GET",
        ":scheme",
        "http",
        ":path",
        path,
        ":authority",
        "a.example",
        "user-agent",
        "test");
  }

  Http2Bytes call(int stream, String method) {
    return headers(
        stream,
        false,
        ":method",
        "POST",
        ":scheme",
        "http",
        ":path",
        "/" + method,
        ":authority",
        "a.example:50051",
        "content-type",
        "application/grpc+proto",
        "te",
        "trailers");
  }

  Http2Bytes ok(int stream, int size) {
    headers(stream, false, ":status", "200", "server", "test");
    return data(stream, true, size);
  }

  Http2Bytes reset(int stream, int code) {
    return frame(Frame.RST_STREAM, 0, stream, new byte[] {0, 0, 0, (byte) code});
  }

  /** What was written since the last time. */
  byte[] take() {
    byte[] bytes = out.toByteArray();
    out = new ByteArrayOutputStream();
    return bytes;
  }
}
