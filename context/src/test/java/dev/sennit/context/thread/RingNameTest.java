/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The name of the ring's mapping, as the kernel is asked for it: not every kernel has names. */
@Requires(commands = "strace")
class RingNameTest {
  /** A ring of 16 slots and its header. */
  private static final String LENGTH = "544";

  @TempDir private Path folder;

  @Test
  void aRingThatIsWithdrawnLosesItsName() throws IOException {
    List<String> command =
        new ArrayList<>(List.of("strace", "-ff", "-o", folder.resolve("strace").toString()));
    command.addAll(List.of("-e", "trace=prctl"));
    command.addAll(ChildProcess.javaCommand(List.of(), Program.class));
    try (ChildProcess child = ChildProcess.start(command)) {
      assertThat(child.readAll()).containsExactly("withdrawn");
      assertThat(child.waitFor()).isZero();
    }

    List<String> calls = calls();

    assertThat(calls).hasSize(2);
    assertThat(calls.getFirst()).contains("\"DD_OTEL_CTX\"");
    String sameMapping = calls.getFirst().split(LENGTH, 2)[0];
    assertThat(calls.get(1)).startsWith(sameMapping + LENGTH + ", NULL)");
  }

  private List<String> calls() throws IOException {
    try (Stream<Path> logs = Files.list(folder)) {
      return logs.flatMap(RingNameTest::lines)
          .filter(call -> call.startsWith("prctl(PR_SET_VMA,") && call.contains(" " + LENGTH + ","))
          .toList();
    }
  }

  private static Stream<String> lines(Path log) {
    try {
      return Files.readAllLines(log).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The child. */
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) {
      ContextApi.initialize("ctxstorage=otel,ctxcapacity=16");
      ContextApi.shutdown();
      System.out.println("withdrawn");
    }
  }
}
