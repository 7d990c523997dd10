/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Calls of Linux by their numbers, where libc is older than the function that it would have for
 * them: the kernel may know them all the same.
 */
enum SystemCall {
  /** A function of glibc since 2.30. */
  GETTID(186, 178),
  /** A function of glibc since 2.27. */
  MEMFD_CREATE(319, 279);

  private static final long UNKNOWN = -1;

  private final long number;

  SystemCall(long onX86, long onArm) {
    this.number =
        !System.getProperty("os.name", "").equals("Linux")
            ? UNKNOWN
            : switch (System.getProperty("os.arch", "")) {
              case "amd64" -> onX86;
              case "aarch64" -> onArm;
              default -> UNKNOWN;
            };
  }

  /**
   * The call in the shape of the function: one with these parameters that returns an int. Empty
   * where its number is not known here.
   */
  @SuppressWarnings("restricted")
  Optional<MethodHandle> find(List<MemoryLayout> parameters, Linker.Option... options) {
    if (number == UNKNOWN) {
      return Optional.empty();
    }
    List<MemoryLayout> all = new ArrayList<>(parameters);
    all.addFirst(JAVA_LONG);
    List<Linker.Option> allOptions = new ArrayList<>(List.of(options));
    allOptions.add(Linker.Option.firstVariadicArg(1));
    Linker linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find("syscall")
        .map(
            address ->
                linker.downcallHandle(
                    address,
                    FunctionDescriptor.of(JAVA_LONG, all.toArray(MemoryLayout[]::new)),
                    allOptions.toArray(Linker.Option[]::new)))
        .map(
            call -> {
              // What an option adds comes before the number.
              int at = call.type().parameterCount() - all.size();
              MethodHandle numbered = MethodHandles.insertArguments(call, at, number);
              return MethodHandles.explicitCastArguments(
                  numbered, numbered.type().changeReturnType(int.class));
            });
  }
}
