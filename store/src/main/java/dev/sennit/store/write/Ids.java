/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

import com.google.protobuf.ByteString;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Ids as people write them, in hexadecimal; none where the bytes are not an id. */
final class Ids {
  private static final HexFormat HEX = HexFormat.of();

  private Ids() {}

  static @Nullable String trace(ByteString bytes) {
    return hex(bytes, 16);
  }

  static @Nullable String span(ByteString bytes) {
    return hex(bytes, 8);
  }

  private static @Nullable String hex(ByteString bytes, int length) {
    if (bytes.size() != length) {
      return null;
    }
    int any = 0;
    for (int i = 0; i < length; i++) {
      any |= bytes.byteAt(i);
    }
    return any == 0 ? null : HEX.formatHex(bytes.toByteArray());
  }
}
