/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import java.util.Locale;

/** Writes a thread as the conventions have it: metadata line, state line, frames. */
final class CallStackText {
  private CallStackText() {}

  static String of(ThreadStack thread) {
    StringBuilder text = new StringBuilder(200 + 80 * thread.frames().size());
    text.append('"');
    escape(thread.name(), text);
    text.append("\" #").append(thread.number());
    text.append(" prio=").append(thread.priority());
    text.append(" os_prio=").append(thread.osPriority());
    text.append(" cpu=").append(thread.cpu());
    text.append(" elapsed=").append(thread.elapsed());
    text.append(" tid=0x").append(String.format(Locale.ROOT, "%016x", thread.tid()));
    text.append(" nid=0x").append(Integer.toHexString(thread.nid()));
    text.append(' ').append(thread.status().strip());
    text.append('\n').append("   ");
    if (thread.state().isEmpty()) {
      text.append("JVM internal thread");
    } else {
      text.append("java.lang.Thread.State: ").append(thread.state());
    }
    text.append('\n');
    for (StackFrame frame : thread.frames()) {
      text.append("\tat ").append(frame.namespace()).append('.').append(frame.function());
      text.append('(').append(frame.file());
      if (frame.line() > 0) {
        text.append(':').append(frame.line());
      }
      text.append(")\n");
    }
    return text.toString();
  }

  /** Keeps a name within its quotes and on its line; text of any language stays as it is. */
  static void escape(String name, StringBuilder into) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '"' || c == '\\') {
        into.append('\\').append(c);
      } else if (Character.isISOControl(c)
          || c == '\u2028'
          || c == '\u2029'
          || isLoneSurrogate(name, i)) {
        into.append("\\u").append(String.format(Locale.ROOT, "%04x", (int) c));
      } else {
        into.append(c);
      }
    }
  }

  /** What has no encoding in UTF-8. */
  private static boolean isLoneSurrogate(String name, int i) {
    char c = name.charAt(i);
    if (Character.isHighSurrogate(c)) {
      return i + 1 == name.length() || !Character.isLowSurrogate(name.charAt(i + 1));
    }
    return Character.isLowSurrogate(c)
        && (i == 0 || !Character.isHighSurrogate(name.charAt(i - 1)));
  }
}
