/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.http;

import io.helidon.http.encoding.ContentDecoder;
import io.helidon.http.encoding.ContentEncoder;
import io.helidon.http.encoding.ContentEncoding;
import java.util.Set;

/**
 * Leaves compressed bodies as they are: who reads one counts its bytes before and after, and
 * answers in its own way what it cannot read.
 */
final class UntouchedEncoding implements ContentEncoding {
  @Override
  public Set<String> ids() {
    return Set.of("gzip", "x-gzip", "deflate", "compress", "br", "zstd", "snappy", "identity");
  }

  @Override
  public boolean supportsEncoding() {
    return false;
  }

  @Override
  public boolean supportsDecoding() {
    return true;
  }

  @Override
  public ContentDecoder decoder() {
    return ContentDecoder.NO_OP;
  }

  @Override
  public ContentEncoder encoder() {
    return ContentEncoder.NO_OP;
  }

  @Override
  public String name() {
    return "untouched";
  }

  @Override
  public String type() {
    return "untouched";
  }
}
