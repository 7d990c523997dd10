/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol;

/**
 * Notices that answers have got out of step with requests, in a protocol whose answers say nothing
 * of what they answer. If the answer to a request was not seen at all, each later answer is taken
 * for that of the request before. A client that sends a request only when it has the answer to the
 * last one then seems to have one open too many, all the time: request and answer take turns, and
 * there is always the same number open behind an answer. A few rounds of that are believed to be a
 * loss; if it was none after all, because the client does send ahead, that is noticed, too, and it
 * is not believed again.
 */
public final class InStep {
  /** How many rounds must look alike. */
  public static final int ROUNDS = 4;

  private int tooMany;
  private int rounds;
  private boolean asked;
  private boolean gaveUp;
  private boolean sendsAhead;

  /**
   * A request was seen.
   *
   * @param open how many were open before
   */
  public void asked(int open) {
    if (asked || open != tooMany) {
      rounds = 0;
      tooMany = open;
    }
    asked = true;
  }

  /**
   * An answer was seen.
   *
   * @param open how many requests are open after it
   * @return how many of the oldest will never be answered
   */
  public int answered(int open) {
    boolean turn = asked && open == tooMany && open > 0;
    asked = false;
    rounds = turn ? rounds + 1 : 0;
    if (rounds < ROUNDS || sendsAhead) {
      return 0;
    }
    rounds = 0;
    tooMany = 0;
    gaveUp = true;
    return open;
  }

  /** An answer was seen, and nothing was open. */
  public void unasked() {
    sendsAhead |= gaveUp;
    gaveUp = false;
    rounds = 0;
    asked = false;
  }
}
