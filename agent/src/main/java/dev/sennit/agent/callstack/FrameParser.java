/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the lines of frames in HotSpot's thread dumps. */
final class FrameParser {
  private static final String AT = "\tat ";
  private static final Pattern ADDRESS = Pattern.compile("/0x[0-9a-f]+");
  private static final Pattern FILE_AND_LINE = Pattern.compile("(.*):(\\d{1,9})");

  private FrameParser() {}

  /** The frame of a line; null if the line is not one of a frame but, say, of a lock. */
  static @Nullable StackFrame parse(String line) {
    int open = line.lastIndexOf('(');
    if (!line.startsWith(AT) || open < 0 || !line.endsWith(")")) {
      return null;
    }
    String method = line.substring(AT.length(), open);
    int dot = method.lastIndexOf('.');
    String namespace = dot <= 0 ? StackFrame.UNKNOWN : withoutAddress(method.substring(0, dot));
    String place = withoutModule(line.substring(open + 1, line.length() - 1), namespace);
    String function = method.substring(dot + 1);
    Matcher matcher = FILE_AND_LINE.matcher(place);
    if (matcher.matches()) {
      return new StackFrame(
          namespace, function, known(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }
    return new StackFrame(namespace, function, known(place), 0);
  }

  private static String known(String file) {
    return file.isEmpty() || file.equals("Unknown Source") ? StackFrame.UNKNOWN : file;
  }

  /** A hidden class has an address in its name, which is another one in every process. */
  static String withoutAddress(String className) {
    return className.indexOf('/') < 0 ? className : ADDRESS.matcher(className).replaceAll("");
  }

  /**
   * Drops what HotSpot puts before the file: {@code java.base@25/} or, for a module without a
   * version, {@code my.module/}. A file may have a path of its own, so a name alone must be one of
   * a module that is known or that the class could be of.
   */
  private static String withoutModule(String place, String namespace) {
    int slash = place.indexOf('/');
    if (slash <= 0) {
      return place;
    }
    String module = place.substring(0, slash);
    boolean isModule =
        module.indexOf('@') > 0
            || namespace.startsWith(module + ".")
            || ModuleLayer.boot().findModule(module).isPresent();
    return isModule ? place.substring(slash + 1) : place;
  }
}
