package dev.sennit.context.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happens when the kernel refuses the ring's memory; here because the address space is limited. */
@Requires(commands = "prlimit")
class RingFallbackTest {
  @Test
  void profilerModeTakesOverAndOneLineSaysSo() {
    List<String> command =
        new ArrayList<>(List.of("prlimit", "--as=" + 3L * 1024 * 1024 * 1024, "--"));
    command.addAll(
        ChildProcess.javaCommand(
            List.of("-Xmx64m", "-XX:ReservedCodeCacheSize=64m", "-XX:CompressedClassSpaceSize=64m"),
            Program.class));
    // The JVM itself fits; a heap of the rest of the limit leaves no room for 128 MiB of slots.
    try (ChildProcess child = ChildProcess.start(command)) {
      assertThat(child.readAll()).containsExactly("false PROFILER true");
      assertThat(child.waitFor()).isZero();
      assertThat(child.errors())
          .contains("sennit: ctxstorage=otel falls back to profiler: mmap of 134217760 bytes failed:"
              + " ENOMEM (out of memory)")
          .satisfies(text -> assertThat(text.lines().count()).as(text).isEqualTo(1));
    }
  }

  /** The child: takes what address space there is, then asks for a large ring. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) {
      long taken = 1L << 30;
      while (taken >= 1L << 26) {
        if (dev.sennit.context.memory.Libc.mmap(
                0,
                taken,
                dev.sennit.context.memory.Libc.PROT_READ,
                dev.sennit.context.memory.Libc.MAP_PRIVATE
                    | dev.sennit.context.memory.Libc.MAP_ANONYMOUS,
                -1)
            < 0) {
          taken >>= 1;
        }
      }
      boolean asAsked = ContextApi.initialize("ctxstorage=otel,ctxcapacity=4194304");
      ContextApi.set(1, 2);
      System.out.println(
          asAsked
              + " "
              + ContextApi.getMode()
              + " "
              + (ThreadContext.current().getSpanId() == 1));
    }
  }
}
