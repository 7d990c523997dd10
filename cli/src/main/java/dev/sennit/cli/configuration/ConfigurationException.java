/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.configuration;

import java.util.List;

/** A configuration that cannot be meant. The message is one line that says where and why. */
public final class ConfigurationException extends Exception {
  private static final long serialVersionUID = 1;

  public ConfigurationException(String line) {
    super(line);
  }

  /** Several things are wrong: the first is said, and how many more there are. */
  public ConfigurationException(List<String> lines) {
    super(lines.getFirst() + (lines.size() == 1 ? "" : "; and " + (lines.size() - 1) + " more"));
  }

  /**
   * What is wrong with a value.
   *
   * @param place where the value stands, as {@link Configuration#place} says it
   */
  public ConfigurationException(String place, String what) {
    super(place + ": " + what);
  }

  /** The line. */
  public String line() {
    return String.valueOf(getMessage());
  }
}
