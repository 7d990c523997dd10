/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import dev.sennit.context.memory.NativeLibrary;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** Blocks that {@code thread_context.c} keeps per OS thread and takes back when the thread ends. */
final class NativeThreadBlocks extends ThreadBlocks {
  static final NativeLibrary.Loading LOADING = NativeLibrary.load();

  private static final @Nullable MethodHandle BLOCK = function("sennit_thread_block");
  private static final @Nullable MethodHandle EXPOSED_BLOCK =
      function("sennit_exposed_thread_block");

  private final boolean exposed;

  private NativeThreadBlocks(boolean exposed) {
    this.exposed = exposed;
  }

  static @Nullable ThreadBlocks open(boolean exposed) {
    NativeThreadBlocks blocks = new NativeThreadBlocks(exposed);
    return blocks.current() != 0 ? blocks : null;
  }

  @Override
  long current() {
    MethodHandle function = exposed ? EXPOSED_BLOCK : BLOCK;
    if (function == null) {
      return 0;
    }
    try {
      return (long) function.invokeExact();
    } catch (Throwable t) {
      throw new AssertionError("a native function does not throw", t);
    }
  }

  @Override
  boolean clearsAtThreadEnd() {
    return true;
  }

  private static @Nullable MethodHandle function(String name) {
    return LOADING.library().map(library -> library.addressFunction(name)).orElse(null);
  }
}
