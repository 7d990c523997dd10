/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.memory.Libc;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What happens when the kernel refuses the ring's memory; here because the address space is
 * limited.
 */
@Requires(commands = "prlimit")
class RingFallbackTest {
  @Test
  void profilerModeTakesOverAndOneLineSaysSo() {
    assertThat(run()).containsExactly("false PROFILER true null");
  }

  @Test
  void profilerModeThatRunsAlreadyGoesOnWithItsAttributes() {
    assertThat(run("ctxstorage=profiler,attributes=route"))
        .containsExactly("false PROFILER true /cart");
  }

  private static List<String> run(String... before) {
    List<String> command =
        new ArrayList<>(List.of("prlimit", "--as=" + 3L * 1024 * 1024 * 1024, "--"));
    command.addAll(
        ChildProcess.javaCommand(
            List.of("-Xmx64m", "-XX:ReservedCodeCacheSize=64m", "-XX:CompressedClassSpaceSize=64m"),
            Program.class,
            before));
    // The JVM itself fits; a heap of the rest of the limit leaves no room for 128 MiB of slots.
    try (ChildProcess child = ChildProcess.start(command)) {
      List<String> lines = child.readAll();
      assertThat(child.waitFor()).isZero();
      assertThat(child.errors())
          .contains(
              "sennit: ctxstorage=otel falls back to profiler: mmap of 134217760 bytes failed:"
                  + " ENOMEM (out of memory)")
          .satisfies(text -> assertThat(text.lines().count()).as(text).isEqualTo(1));
      return lines;
    }
  }

  /**
   * The child: starts as it is told, takes what address space there is, then asks for a large ring.
   */
  static final class Program {
    private Program() {}

    public static void main(String[] args) {
      if (args.length > 0) {
        ContextApi.initialize(args[0]);
      }
      long taken = 1L << 30;
      while (taken >= 1L << 26) {
        if (Libc.mmap(0, taken, Libc.PROT_READ, Libc.MAP_PRIVATE | Libc.MAP_ANONYMOUS, -1) < 0) {
          taken >>= 1;
        }
      }
      boolean asAsked = ContextApi.initialize("ctxstorage=otel,ctxcapacity=4194304");
      ContextApi.set(1, 2);
      ContextApi.setAttribute("route", "/cart");
      System.out.println(
          asAsked
              + " "
              + ContextApi.getMode()
              + " "
              + (ThreadContext.current().getSpanId() == 1)
              + " "
              + ContextApi.getAttribute(new AttributeKey("route", 0)));
    }
  }
}
