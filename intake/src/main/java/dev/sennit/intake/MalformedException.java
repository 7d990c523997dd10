/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.intake;

import java.io.IOException;

/** Bytes are not the message that they are said to be; the text says where and why. */
public final class MalformedException extends IOException {
  private static final long serialVersionUID = 1;

  MalformedException(String message, Throwable cause) {
    super(message, cause);
  }

  MalformedException(String message) {
    super(message);
  }
}
