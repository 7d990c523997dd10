/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel.ring;

/** Takes events as they come, on the thread that reads the ring. */
@FunctionalInterface
public interface EventConsumer {
  /** The event is a view of the ring: what is kept of it must be copied before this returns. */
  void onEvent(KernelEvent event);
}
