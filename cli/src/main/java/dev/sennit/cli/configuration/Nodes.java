/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.configuration;

import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** What a node of the file is, in words. */
final class Nodes {
  private static final int MOST = 60;

  private Nodes() {}

  static int line(Node node) {
    return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
  }

  /** A key whose value was left out, or is YAML's null. */
  static boolean isNothing(Node node) {
    return node instanceof ScalarNode scalar
        && scalar.isPlain()
        && (scalar.getValue().isEmpty()
            || scalar.getValue().equals("null")
            || scalar.getValue().equals("~"));
  }

  static String describe(Node node) {
    if (isNothing(node)) {
      return "nothing";
    }
    return switch (node) {
      case MappingNode mapping -> "a mapping";
      case SequenceNode sequence -> "a list";
      case ScalarNode scalar -> (scalar.isPlain() ? "" : "the text ") + quote(scalar.getValue());
      default -> "this";
    };
  }

  static String quote(String text) {
    return "'" + (text.length() <= MOST ? text : text.substring(0, MOST) + "…") + "'";
  }
}
