/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.memory.ProcessMemory;
import dev.sennit.context.reader.ExportedFunctions.Exporter;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where a function is in its file is where its code is. */
@Requires(root = true)
final class ExportedFunctionsTest {
  private static final int PID = (int) ProcessHandle.current().pid();
  private static final int CODE = 16;

  @Test
  void theCodeOfAFunctionIsAtItsPlaceInTheFile() throws IOException {
    List<Exporter> exporters =
        ExportedFunctions.find(PID, List.of("getpid", "getppid", "no_such_function"), file -> true);

    assertThat(exporters).hasSize(1);
    Exporter library = exporters.getFirst();
    assertThat(library.name()).contains("libc");
    assertThat(library.offsets()).containsOnlyKeys("getpid", "getppid");
    library
        .offsets()
        .forEach(
            (name, offset) ->
                assertThat(inFile(library, offset)).as(name).isEqualTo(inMemory(name)));
  }

  @Test
  void aFileWithoutTheFirstFunctionIsPassedOver() throws IOException {
    assertThat(ExportedFunctions.find(PID, List.of("no_such_function", "getpid"), file -> true))
        .isEmpty();
  }

  @Test
  void onlyFilesThatAreWantedAreLookedAt() throws IOException {
    assertThat(ExportedFunctions.find(PID, List.of("getpid"), file -> false)).isEmpty();
  }

  private static byte[] inFile(Exporter library, long offset) {
    try (FileChannel file = FileChannel.open(library.file())) {
      byte[] code = new byte[CODE];
      file.read(ByteBuffer.wrap(code), offset);
      return code;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] inMemory(String function) {
    long address = Linker.nativeLinker().defaultLookup().findOrThrow(function).address();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment code = arena.allocate(CODE);
      assertThat(ProcessMemory.of(PID).read(address, code)).isEqualTo(CODE);
      return code.toArray(JAVA_BYTE);
    }
  }
}
