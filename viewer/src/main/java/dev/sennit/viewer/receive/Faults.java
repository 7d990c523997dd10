/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

/** What a sender is told of faults that are not its own. */
final class Faults {
  private Faults() {}

  /** Without details: they are for who runs this, and not for who sends. */
  static RefusedException of(Service<?> service, Throwable fault) {
    service.tally().refused(Refusal.FAULT);
    return Refusal.FAULT.because(
        "a fault while taking "
            + service.signal().settingName()
            + ": "
            + fault.getClass().getSimpleName());
  }
}
