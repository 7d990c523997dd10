/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.span;

import dev.sennit.otlp.Resource;

/** Knows who processes are. */
@FunctionalInterface
public interface Processes {
  /** The resource of a process, also of one that has ended lately. */
  Resource resource(int pid);
}
