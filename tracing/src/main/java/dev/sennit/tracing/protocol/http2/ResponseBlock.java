/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http2;

import org.jspecify.annotations.Nullable;

/** What the header block of a response, or its trailers, say. */
final class ResponseBlock implements HeaderBlocks.Fields {
  private int status;
  private int statuses;
  private boolean wrong;
  private boolean regular;
  private @Nullable String grpcStatus;

  @Override
  public void field(String name, String value) {
    boolean pseudo = name.startsWith(":");
    wrong |= pseudo && (regular || !name.equals(":status"));
    regular |= !pseudo;
    if (name.equals(":status")) {
      statuses++;
      status = number(value);
    } else if (name.equals("grpc-status")) {
      grpcStatus = value;
    }
  }

  private int number(String value) {
    wrong |= value.length() != 3;
    int number = 0;
    for (int i = 0; i < value.length() && i < 3; i++) {
      char c = value.charAt(i);
      wrong |= c < '0' || c > '9';
      number = number * 10 + (c - '0');
    }
    return wrong ? 0 : number;
  }

  /** Whether it breaks RFC 9113, section 8.3: then the table that it was read with is not right. */
  boolean isWrong() {
    return wrong || statuses > 1;
  }

  /** 0 if it says none. */
  int status() {
    return status;
  }

  @Nullable String grpcStatus() {
    return grpcStatus;
  }
}
