/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.configuration;

import java.util.ArrayList;
import java.util.List;

/** The whole file, with every key at its default and a comment that says what it is for. */
public final class ConfigurationText {
  private static final int WIDTH = 100;
  private static final String INDENT = "  ";

  private final StringBuilder text = new StringBuilder();

  private ConfigurationText() {}

  public static String ofDefaults() {
    ConfigurationText printed = new ConfigurationText();
    printed.comment("", "Sennit's configuration: every key with its default.");
    printed.section(Place.root(), "");
    return printed.text.toString();
  }

  private void section(Place.Section section, String indent) {
    section
        .places()
        .forEach(
            (name, place) -> {
              switch (place) {
                case Place.Section inner -> {
                  if (indent.isEmpty()) {
                    text.append('\n');
                  }
                  text.append(indent).append(name).append(":\n");
                  section(inner, indent + INDENT);
                }
                case Place.Value(Key<?> key) -> value(key, indent);
              }
            });
  }

  private void value(Key<?> key, String indent) {
    boolean plain = key.type().equals(Scalars.FLAG) || key.type().equals(Scalars.TEXT);
    comment(indent, key.help() + (plain ? "" : " Allowed: " + key.type().allowed() + "."));
    // What has no default here is shown, and says nothing.
    text.append(indent)
        .append(key.standard() == null ? "# " : "")
        .append(key.name())
        .append(": ")
        .append(key.example())
        .append('\n');
  }

  private void comment(String indent, String sentence) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : sentence.split(" ")) {
      if (line.length() + word.length() + indent.length() + 3 > WIDTH) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    lines.forEach(each -> text.append(indent).append("# ").append(each).append('\n'));
  }
}
