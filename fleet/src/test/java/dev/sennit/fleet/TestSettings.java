/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import java.time.Duration;

/** Settings of tests, with topics that are named like their application. */
final class TestSettings {
  private TestSettings() {}

  static FleetSettings of(String name, int partitions, Duration grace) {
    return new FleetSettings(
        name,
        name + "-in",
        name + "-out",
        name + "-dead",
        partitions,
        Duration.ofSeconds(1),
        grace,
        Duration.ofMinutes(10));
  }
}
