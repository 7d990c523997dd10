/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import java.util.List;

/**
 * Names with line ends in them, which HotSpot prints as they are and which would pass for lines of
 * their own. In the text they are replaced by one that stands on its line; the parser undoes it.
 */
final class DumpNames {
  /** Not a character (Unicode, section 23.7): no text has it for anything. */
  private static final char LINE_END = '\uFFFE';

  private DumpNames() {}

  /** The dump with such names on one line each. */
  static String protect(String dump, List<Thread> threads) {
    String text = dump;
    for (Thread thread : threads) {
      String name = thread.getName();
      if (name.indexOf('\n') >= 0) {
        String mark = "\" #" + thread.threadId() + " ";
        text = text.replace('"' + name + mark, '"' + name.replace('\n', LINE_END) + mark);
      }
    }
    return text;
  }

  static String restore(String name) {
    return name.replace(LINE_END, '\n');
  }
}
