/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/** The functions of a library in a file, such as a profiler's, by their names. */
public final class ForeignLibrary {
  private final SymbolLookup symbols;

  private ForeignLibrary(SymbolLookup symbols) {
    this.symbols = symbols;
  }

  /**
   * The library in a file. The dynamic linker counts by file: one that is loaded is not loaded a
   * second time.
   *
   * @throws IllegalArgumentException when it cannot be loaded
   */
  @SuppressWarnings("restricted")
  public static ForeignLibrary open(Path file) {
    return new ForeignLibrary(SymbolLookup.libraryLookup(file, Arena.global()));
  }

  /**
   * A function of no parameters that returns an address; see {@link
   * NativeLibrary#addressFunction(String)} for what it must be like.
   *
   * @throws java.util.NoSuchElementException when there is none of that name
   */
  @SuppressWarnings("restricted")
  public MethodHandle addressFunction(String name) {
    return Linker.nativeLinker()
        .downcallHandle(
            symbols.findOrThrow(name),
            FunctionDescriptor.of(ValueLayout.JAVA_LONG),
            Linker.Option.critical(false));
  }

  /**
   * A function of any kind.
   *
   * @throws java.util.NoSuchElementException when there is none of that name
   */
  @SuppressWarnings("restricted")
  public MethodHandle function(String name, FunctionDescriptor type) {
    return Linker.nativeLinker().downcallHandle(symbols.findOrThrow(name), type);
  }
}
