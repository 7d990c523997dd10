/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/**
 * The bytes of a request as they come in. However they are compressed, no more of them are held
 * than a request may have, and all of them count as held while they are.
 */
final class Body {
  private static final int FIRST_PIECE = 8 << 10;

  private final Counted wire;
  private final int limit;
  private final Room.Share share;

  Body(InputStream wire, int limit, Room.Share share) {
    this.wire = new Counted(wire);
    this.limit = limit;
    this.share = share;
  }

  /** How many bytes have come over the wire. */
  long wireBytes() {
    return wire.count;
  }

  /** All that there is, decompressed if it has to be. */
  byte[] whole(boolean gzip) throws RefusedException {
    return gzip ? decompressed(wire) : gather(wire);
  }

  /**
   * The only message of a gRPC request: a byte that says whether it is compressed, four for its
   * length, and the message.
   */
  byte[] onlyMessage(boolean gzipNamed) throws RefusedException {
    byte[] prefix = exactly(5, "the prefix of the message");
    long length = Integer.toUnsignedLong(ByteBuffer.wrap(prefix, 1, 4).getInt());
    if (length > limit) {
      throw tooLarge(length);
    }
    byte[] message = exactly((int) length, "the message");
    if (read(wire, new byte[1], 0) >= 0) {
      throw Refusal.MALFORMED.because("there is more than one message, but the method is unary");
    }
    return switch (prefix[0]) {
      case 0 -> message;
      case 1 -> {
        if (!gzipNamed) {
          throw Refusal.MALFORMED.because(
              "the message is compressed, but grpc-encoding is not set");
        }
        yield decompressed(new ByteArrayInputStream(message));
      }
      default -> throw Refusal.MALFORMED.because("the message begins with " + prefix[0]);
    };
  }

  private byte[] exactly(int length, String what) throws RefusedException {
    byte[] bytes = new byte[Math.min(length, FIRST_PIECE)];
    int count = 0;
    while (count < length) {
      if (count == bytes.length) {
        bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * bytes.length));
      }
      int more = read(wire, bytes, count);
      if (more < 0) {
        throw Refusal.MALFORMED.because(
            what + " has " + length + " bytes, of which " + count + " came");
      }
      share.grow(more);
      count += more;
    }
    return bytes;
  }

  private byte[] decompressed(InputStream compressed) throws RefusedException {
    try {
      return gather(new GZIPInputStream(compressed));
    } catch (IOException e) {
      throw Refusal.MALFORMED.because("not gzip: " + e.getMessage());
    }
  }

  private byte[] gather(InputStream in) throws RefusedException {
    byte[] bytes = new byte[FIRST_PIECE];
    int count = 0;
    for (int more = read(in, bytes, 0); more >= 0; more = read(in, bytes, count)) {
      share.grow(more);
      count += more;
      if (count > limit) {
        throw tooLarge(count);
      }
      if (count == bytes.length) {
        bytes = Arrays.copyOf(bytes, (int) Math.min(limit + 1L, 2L * bytes.length));
      }
    }
    return Arrays.copyOf(bytes, count);
  }

  private static int read(InputStream in, byte[] bytes, int from) throws RefusedException {
    try {
      return in.read(bytes, from, bytes.length - from);
    } catch (IOException e) {
      // Only decompressing fails in this way; of the network Helidon tells otherwise.
      throw Refusal.MALFORMED.because("not gzip: " + e.getMessage());
    }
  }

  private RefusedException tooLarge(long length) {
    return Refusal.TOO_LARGE.because(
        "the request has " + length + " bytes or more, but may have " + limit);
  }

  private static final class Counted extends FilterInputStream {
    private long count;

    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int more = in.read(bytes, from, length);
      count += Math.max(0, more);
      return more;
    }
  }
}
