/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import java.util.List;
import java.util.Set;

/**
 * What a program is called by the people who run it: for a runtime that is shared by many, the name
 * of what it runs, without its folder and its ending; for any other, the name of its file. Nothing
 * else of a command line is used, for it may hold secrets.
 */
final class ProgramName {
  private static final Set<String> JAVA_VALUES =
      Set.of(
          "-cp",
          "-classpath",
          "--class-path",
          "-p",
          "--module-path",
          "--add-opens",
          "--add-exports",
          "--add-modules",
          "--add-reads",
          "--enable-native-access");
  private static final Set<String> SCRIPT_ENDINGS = Set.of("py", "js", "mjs", "cjs", "rb", "sh");
  private static final Set<String> CODE_FOLLOWS = Set.of("-c", "-e", "--eval", "-p", "--print");

  private ProgramName() {}

  /**
   * @param arguments the command line, its first word included
   * @param fallback for a command line that is empty
   */
  static String of(List<String> arguments, String fallback) {
    if (arguments.isEmpty() || arguments.getFirst().isEmpty()) {
      return fallback;
    }
    String program = file(arguments.getFirst());
    String name = "";
    if (program.equals("java")) {
      name = java(arguments);
    } else if (program.matches("python[0-9.]*|node|nodejs|ruby|sh|bash|dash")) {
      name = script(arguments);
    }
    return name.isEmpty() ? program : name;
  }

  private static String java(List<String> arguments) {
    for (int i = 1; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (argument.equals("-jar") && i + 1 < arguments.size()) {
        return withoutEnding(file(arguments.get(i + 1)), Set.of("jar"));
      }
      if (argument.equals("-m") && i + 1 < arguments.size()) {
        String module = arguments.get(i + 1);
        return module.substring(module.indexOf('/') + 1);
      }
      if (JAVA_VALUES.contains(argument)) {
        i++;
      } else if (!argument.startsWith("-") && !argument.startsWith("@")) {
        return argument.endsWith(".java")
            ? withoutEnding(file(argument), Set.of("java"))
            : argument.substring(argument.lastIndexOf('.') + 1);
      }
    }
    return "";
  }

  private static String script(List<String> arguments) {
    for (int i = 1; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (argument.equals("-m") && i + 1 < arguments.size()) {
        return arguments.get(i + 1);
      }
      if (CODE_FOLLOWS.contains(argument)) {
        return "";
      }
      if (!argument.startsWith("-")) {
        return withoutEnding(file(argument), SCRIPT_ENDINGS);
      }
    }
    return "";
  }

  private static String file(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static String withoutEnding(String name, Set<String> endings) {
    int dot = name.lastIndexOf('.');
    return dot > 0 && endings.contains(name.substring(dot + 1)) ? name.substring(0, dot) : name;
  }
}
