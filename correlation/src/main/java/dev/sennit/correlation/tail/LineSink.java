/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.tail;

import java.nio.file.Path;

/** Takes the lines of files. */
@FunctionalInterface
public interface LineSink {
  /**
   * Takes a line. If it throws, the line is not taken and comes again.
   *
   * @param file as it was configured, whatever its name is by now
   * @param bytes valid during the call only
   * @param from where the line begins
   * @param to where it ends, without the end of line
   * @param cut whether it was longer than the bound, and this is its beginning
   */
  void line(Path file, byte[] bytes, int from, int to, boolean cut);
}
