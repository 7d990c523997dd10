/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.configuration;

import org.jspecify.annotations.Nullable;

/**
 * A key of the file.
 *
 * @param path the names of the sections that it stands in, and its own, with dots between them
 * @param standard its value where the file does not have it; null for none
 * @param example a value to show where there is no other
 * @param help what it is for, in a sentence or two
 */
public record Key<T>(String path, Type<T> type, @Nullable T standard, String example, String help) {
  /** Its own name. */
  String name() {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  @Override
  public String toString() {
    return path;
  }
}
