/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http2;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http2.hpack.HPackDecoder;
import org.apache.hc.core5.http2.hpack.HPackException;

/**
 * The header blocks of one direction. Each depends on those before it, by a table that both ends
 * keep (RFC 7541, section 2.3). Where blocks were missed the table is filled with entries that
 * stand for what is not known: new entries push them back, so that indices of what was seen since
 * are right, and others give nothing instead of something wrong.
 */
final class HeaderBlocks {
  /** Takes a field of a block. */
  interface Fields {
    void field(String name, String value);
  }

  private static final String UNKNOWN = "?";
  private static final int USUAL_LIMIT = 4096;
  private static final int HIGHEST_LIMIT = 1 << 16;

  /** An entry of the table counts as its bytes and 32 more; a name has one byte at least. */
  private static final int SMALLEST_ENTRY = 33;

  /** Tables of this size are in use; of a larger one the oldest entries are not stood for. */
  private static final int MOST_UNKNOWN = 1 << 14;

  private static final byte[] UNKNOWN_ENTRY = {0x40, 1, '?', 0};

  private int limit = USUAL_LIMIT;
  private HPackDecoder decoder = newDecoder();
  private boolean certain = true;

  private HPackDecoder newDecoder() {
    // Other than with UTF-8, no bytes are wrong.
    return new HPackDecoder(limit, StandardCharsets.ISO_8859_1);
  }

  /** The end that reads the blocks allows a table of this size. */
  void allow(long size) {
    // A smaller one is not applied: the blocks themselves say when it is in use.
    int allowed = (int) Math.min(size, HIGHEST_LIMIT);
    if (allowed > limit) {
      limit = allowed;
      decoder.setMaxTableSize(allowed);
    }
  }

  /** Blocks were missed, and the table is not known any more. */
  void forget() {
    certain = false;
    decoder = newDecoder();
    int entries = Math.min(limit, MOST_UNKNOWN) / SMALLEST_ENTRY;
    ByteBuffer unknown = ByteBuffer.allocate(entries * UNKNOWN_ENTRY.length);
    for (int i = 0; i < entries; i++) {
      unknown.put(UNKNOWN_ENTRY);
    }
    unknown.flip();
    try {
      while (unknown.hasRemaining()) {
        decoder.decodeHeader(unknown);
      }
    } catch (HPackException e) {
      throw new IllegalStateException("entries that stand for unknown ones are refused", e);
    }
  }

  /** Whether no block was missed. */
  boolean isCertain() {
    return certain;
  }

  /** Gives the fields of a block. Whether all of them are known. */
  boolean decode(byte[] block, Fields fields) {
    ByteBuffer source = ByteBuffer.wrap(block);
    boolean all = true;
    try {
      for (Header header = decoder.decodeHeader(source);
          header != null;
          header = decoder.decodeHeader(source)) {
        if (header.getName().equals(UNKNOWN)) {
          all = false;
        } else {
          fields.field(header.getName(), header.getValue());
        }
      }
      return all;
    } catch (HPackException | RuntimeException e) {
      // Whatever the bytes were, what they would have put into the table is not known.
      forget();
      return false;
    }
  }
}
