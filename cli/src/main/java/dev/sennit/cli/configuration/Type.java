/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.configuration;

import org.snakeyaml.engine.v2.nodes.Node;

/** The kind of value that a key takes. */
interface Type<T> {
  /** Which values these are, to follow the words "is not". */
  String allowed();

  /**
   * Makes a value of what stands in the file.
   *
   * @throws WrongValueException if the value is not of this kind
   */
  T read(Node node) throws WrongValueException;

  /** The value as it stands in a file. */
  String print(T value);

  /** A value that is not of the kind; the message says which one and what is allowed. */
  final class WrongValueException extends Exception {
    private static final long serialVersionUID = 1;

    private final int line;

    WrongValueException(Node node, String message) {
      super(message);
      line = Nodes.line(node);
    }

    static WrongValueException of(Node node, Type<?> type) {
      return new WrongValueException(node, Nodes.describe(node) + " is not " + type.allowed());
    }

    int line() {
      return line;
    }
  }
}
