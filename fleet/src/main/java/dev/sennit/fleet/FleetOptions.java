/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import java.nio.file.Path;
import java.util.Properties;

/**
 * How an instance runs.
 *
 * @param bootstrap brokers to ask for the others, {@code HOST:PORT} with commas between
 * @param stateFolder for what is remembered; an instance that finds it again need not read it anew
 * @param standbys on so many other instances there is a copy of what is remembered
 * @param threads that do the work
 * @param kafka further settings of Kafka's own
 */
public record FleetOptions(
    String bootstrap, Path stateFolder, int standbys, int threads, Properties kafka) {
  public FleetOptions {
    if (standbys < 0) {
      throw new IllegalArgumentException("standby is " + standbys + ", but must be at least 0");
    }
    if (threads < 1) {
      throw new IllegalArgumentException("threads is " + threads + ", but must be at least 1");
    }
    Properties copy = new Properties();
    copy.putAll(kafka);
    kafka = copy;
  }
}
