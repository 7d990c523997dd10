/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import org.jspecify.annotations.Nullable;

/**
 * Finds the block of native memory that belongs to the OS thread running now (see {@link
 * ThreadBlockDescriptor}).
 *
 * <p>A platform thread is one OS thread for life and may keep the answer. A virtual thread may be
 * on another carrier each time, so it asks each time. It cannot be moved between the answer and the
 * write that follows: it leaves a carrier only where it blocks, and neither does.
 */
abstract sealed class ThreadBlocks permits NativeThreadBlocks, PortableThreadBlocks {
  /** Address of the current OS thread's block; 0 when there is none to be had. */
  abstract long current();

  /** Whether a thread's records are withdrawn at the moment it ends. */
  abstract boolean clearsAtThreadEnd();

  /** Blocks from the native library or, where it cannot be loaded, from Java alone. */
  static ThreadBlocks open() {
    ThreadBlocks blocks = NativeThreadBlocks.open(false);
    return blocks != null ? blocks : new PortableThreadBlocks();
  }

  /**
   * Blocks whose OTEP record {@code otel_thread_ctx_v1} points at; null without the native library,
   * which is the one way to have that symbol.
   */
  static @Nullable ThreadBlocks openExposed() {
    return NativeThreadBlocks.open(true);
  }

  /** Why there is no native library; empty when there is one. */
  static String nativeProblem() {
    return NativeThreadBlocks.LOADING.problem();
  }
}
