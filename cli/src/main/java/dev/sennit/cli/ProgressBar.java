/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import java.io.PrintWriter;
import java.util.function.LongConsumer;

/** How far a command is, in one line of a terminal that it takes back in the end. */
final class ProgressBar implements LongConsumer, AutoCloseable {
  private static final int WIDTH = 30;
  private static final String CLEAR = "\r\u001b[K";

  private final PrintWriter err;
  private final boolean shown;
  private final long total;
  private long done;
  private long percent = -1;

  /**
   * @param shown whether there is a terminal; elsewhere nothing is printed
   */
  ProgressBar(PrintWriter err, boolean shown, long total) {
    this.err = err;
    this.shown = shown;
    this.total = Math.max(1, total);
    accept(0);
  }

  /** Adds what was done. */
  @Override
  public synchronized void accept(long bytes) {
    done = Math.min(done + bytes, total);
    long now = (long) (100.0 * done / total);
    if (shown && now != percent) {
      percent = now;
      int filled = (int) (WIDTH * done / total);
      err.print(
          CLEAR
              + ("[" + "#".repeat(filled) + " ".repeat(WIDTH - filled) + "] ")
              + (percent + "% of " + new ByteSize(total)));
      err.flush();
    }
  }

  @Override
  public synchronized void close() {
    if (shown) {
      err.print(CLEAR);
      err.flush();
    }
  }
}
