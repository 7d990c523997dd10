/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import static org.assertj.core.api.Assertions.assertThat;

/** Takes readings apart; any other kind than the expected one fails the test and is shown. */
final class Readings {
  private Readings() {}

  static ThreadReading.Threads threads(ThreadReading reading) {
    assertThat(reading).isInstanceOf(ThreadReading.Threads.class);
    return (ThreadReading.Threads) reading;
  }

  static String malformed(ThreadReading reading) {
    assertThat(reading).isInstanceOf(ThreadReading.Malformed.class);
    return ((ThreadReading.Malformed) reading).reason();
  }

  static String unavailable(ThreadReading reading) {
    assertThat(reading).isInstanceOf(ThreadReading.Unavailable.class);
    return ((ThreadReading.Unavailable) reading).reason();
  }
}
