/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp;

import java.lang.module.ModuleDescriptor;
import java.util.Optional;

/** Which version of Sennit this is, for those who receive what it sends. */
public final class BuildVersion {
  private BuildVersion() {}

  /**
   * The version that a class is of: its module's, for packages of named modules have none, else
   * that of its jar; none if it is from a folder of classes.
   */
  public static Optional<String> of(Class<?> type) {
    return Optional.ofNullable(type.getModule().getDescriptor())
        .flatMap(ModuleDescriptor::rawVersion)
        .or(() -> Optional.ofNullable(type.getPackage().getImplementationVersion()));
  }
}
