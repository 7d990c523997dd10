/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A call stack read back by the grammar of the conventions, and by nothing else. */
record ParsedStack(
    String name,
    long index,
    int priority,
    int osPriority,
    String cpu,
    String elapsed,
    String tid,
    String nid,
    String status,
    String state,
    List<String> frames) {
  private static final Pattern METADATA =
      Pattern.compile(
          "\"((?:[^\"\\\\]|\\\\.)*)\" #(\\d+) prio=(\\d+) os_prio=(-?\\d+) cpu=([\\d.]+(?:ms|s)) "
              + "elapsed=([\\d.]+(?:ms|s)) tid=0x([0-9a-f]+) nid=0x([0-9a-f]+) (.+)");
  private static final Pattern STATE = Pattern.compile("   java\\.lang\\.Thread\\.State: (.+)");
  private static final Pattern FRAME =
      Pattern.compile("\tat (.+)\\.([^.()]+)\\(([^:()]+)(?::(\\d+))?\\)");

  static ParsedStack parse(String body) {
    List<String> lines = Arrays.asList(body.split("\n"));
    Matcher metadata = match(METADATA, lines.get(0));
    Matcher state = match(STATE, lines.get(1));
    List<String> frames = lines.subList(2, lines.size());
    frames.forEach(frame -> match(FRAME, frame));
    return new ParsedStack(
        unescape(metadata.group(1)),
        Long.parseLong(metadata.group(2)),
        Integer.parseInt(metadata.group(3)),
        Integer.parseInt(metadata.group(4)),
        metadata.group(5),
        metadata.group(6),
        metadata.group(7),
        metadata.group(8),
        metadata.group(9),
        state.group(1),
        frames.stream().map(frame -> frame.substring(4)).toList());
  }

  private static Matcher match(Pattern pattern, String line) {
    Matcher matcher = pattern.matcher(line);
    if (!matcher.matches()) {
      throw new AssertionError("'" + line + "' is not as the conventions have it");
    }
    return matcher;
  }

  private static String unescape(String name) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c != '\\') {
        text.append(c);
      } else if (name.charAt(++i) == 'u') {
        text.append((char) Integer.parseInt(name.substring(i + 1, i + 5), 16));
        i += 4;
      } else {
        text.append(name.charAt(i));
      }
    }
    return text.toString();
  }

  /** Whether a method of this name is among the frames. */
  boolean isIn(String method) {
    return frames.stream().anyMatch(frame -> frame.contains("." + method + "("));
  }
}
