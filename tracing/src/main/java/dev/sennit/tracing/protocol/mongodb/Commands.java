/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.mongodb;

import java.util.Set;

/** What is known of commands by their names. */
final class Commands {
  /**
   * Those whose value is a collection. Of others it may be anything, the name of a user for
   * example, and is not told.
   */
  private static final Set<String> OF_COLLECTIONS =
      Set.of(
          ("find insert update delete aggregate count distinct findAndModify findandmodify create"
                  + " drop createIndexes dropIndexes deleteIndexes listIndexes reIndex mapReduce"
                  + " mapreduce collStats collMod validate compact killCursors"
                  + " convertToCapped createSearchIndexes dropSearchIndex updateSearchIndex"
                  + " listSearchIndexes")
              .split(" "));

  private static final Set<String> HELLO = Set.of("hello", "isMaster", "ismaster");

  private static final int LONGEST = 64;

  private Commands() {}

  static boolean hasCollection(String command) {
    return OF_COLLECTIONS.contains(command);
  }

  static boolean isHello(String command) {
    return HELLO.contains(command);
  }

  /** Whether it looks like the name of a command. */
  static boolean isName(String command) {
    return !command.isEmpty()
        && command.length() <= LONGEST
        && command.chars().allMatch(c -> c < 0x80 && (Character.isLetterOrDigit(c) || c == '_'));
  }
}
