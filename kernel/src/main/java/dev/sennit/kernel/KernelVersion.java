/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

/** The version of the running kernel. */
final class KernelVersion {
  private KernelVersion() {}

  static String text() {
    return System.getProperty("os.version", "0.0");
  }

  static boolean isAtLeast(int major, int minor) {
    String[] parts = text().split("[^0-9]+");
    int first = Integer.parseInt(parts[0]);
    int second = parts.length > 1 ? Integer.parseInt(parts[1]) : 0;
    return first > major || (first == major && second >= minor);
  }
}
