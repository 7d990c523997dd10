/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.database;

/** A store cannot do what was asked; the text is one line that names the file and the reason. */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String line;

  public StoreException(String line) {
    super(line);
    this.line = line;
  }

  public StoreException(String line, Throwable cause) {
    super(line, cause);
    this.line = line;
  }

  /** The text, which is always there. */
  public String line() {
    return line;
  }
}
