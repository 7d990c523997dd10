/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.connection;

/**
 * What connections may hold in memory.
 *
 * @param connections how many are followed at a time; then the one is forgotten that was silent for
 *     longest
 * @param bytesPerSide how many bytes of one direction wait to be understood
 * @param bytes how many bytes wait in all
 */
public record ConnectionLimits(int connections, int bytesPerSide, long bytes) {
  public static final ConnectionLimits DEFAULT = new ConnectionLimits(10_000, 64 << 10, 64 << 20);

  public ConnectionLimits {
    if (connections < 1 || bytesPerSide < 1 || bytes < bytesPerSide) {
      throw new IllegalArgumentException(
          "limits of " + connections + ", " + bytesPerSide + ", " + bytes);
    }
  }
}
