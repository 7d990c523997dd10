/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

/** How much an observation needs the programs in the kernel. */
public enum HookUse {
  /** There is no observation without them. */
  REQUIRED,
  /** Where they cannot be loaded, it goes on with what is left, and says so. */
  IF_POSSIBLE,
  /** They are not loaded. */
  OFF
}
