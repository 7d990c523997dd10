/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static dev.sennit.cli.Finding.Purpose.CONTEXT;
import static dev.sennit.cli.Finding.Purpose.CONVENIENCE;

import dev.sennit.context.memory.Errno;
import dev.sennit.context.memory.Libc;
import dev.sennit.context.memory.NativeLibrary;
import dev.sennit.context.memory.ProcMaps;
import dev.sennit.context.memory.ProcessMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tries what publishing and reading contexts takes, on this process and on a child of it. */
final class ContextExamination {
  private static final int PTRACE_SEIZE = 0x4206;
  private static final long PAGE = 4096;

  private ContextExamination() {}

  static List<Finding> findings() {
    long memfd = createMemfd();
    long naming = nameMapping();
    return List.of(
        kernel(),
        nativeLibrary(),
        nameableMemory(memfd, naming),
        childMemory(),
        childStop(),
        memfd >= 0
            ? Finding.ok(CONVENIENCE, "memfd", "memory that has a name without the kernel's help")
            : Finding.missing(
                CONVENIENCE,
                "memfd",
                "memfd_create answers " + Errno.describe((int) -memfd),
                "a container that forbids it needs another seccomp profile"),
        naming >= 0
            ? Finding.ok(CONVENIENCE, "mapping names", "prctl(PR_SET_VMA) names mappings")
            : Finding.missing(
                CONVENIENCE,
                "mapping names",
                "prctl(PR_SET_VMA) answers " + Errno.describe((int) -naming),
                "a kernel 5.17 or newer with CONFIG_ANON_VMA_NAME has them; readers manage"
                    + " without"));
  }

  private static Finding kernel() {
    String system =
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " on "
            + System.getProperty("os.arch");
    return system.startsWith("Linux")
        ? Finding.ok(CONTEXT, "kernel", system)
        : Finding.missing(
            CONTEXT, "kernel", system, "run Sennit on Linux; elsewhere nothing can be read");
  }

  private static Finding nativeLibrary() {
    NativeLibrary.Loading loading = NativeLibrary.load();
    return loading.library().isPresent()
        ? Finding.ok(CONTEXT, "native library", "loads")
        : Finding.missing(
            CONTEXT,
            "native library",
            loading.problem(),
            "it is for Linux on x86_64 and aarch64; build again with gcc on the PATH");
  }

  /** Publication is possible while one of the two ways to be found is open. */
  private static Finding nameableMemory(long memfd, long naming) {
    return memfd >= 0 || naming >= 0
        ? Finding.ok(CONTEXT, "named memory", "a context of this process can be found by others")
        : Finding.missing(
            CONTEXT,
            "named memory",
            "neither memfd nor mapping names",
            "a kernel 3.17 or newer that lets this process call memfd_create");
  }

  private static long createMemfd() {
    int flags = Libc.MFD_CLOEXEC | Libc.MFD_ALLOW_SEALING;
    long fd = Libc.memfdCreate("sennit-doctor", flags | Libc.MFD_NOEXEC_SEAL);
    if (fd < 0) {
      fd = Libc.memfdCreate("sennit-doctor", flags);
    }
    if (fd >= 0) {
      Libc.close((int) fd);
    }
    return fd;
  }

  private static long nameMapping() {
    long address = Libc.mmap(0, PAGE, Libc.PROT_READ, Libc.MAP_PRIVATE | Libc.MAP_ANONYMOUS, -1);
    if (address < 0) {
      return address;
    }
    long result = Libc.nameMapping(address, PAGE, "sennit-doctor");
    Libc.munmap(address, PAGE);
    return result;
  }

  private static Finding childMemory() {
    String name = "memory of others";
    Process child = null;
    try (Arena arena = Arena.ofConfined()) {
      child = startChild();
      int pid = Math.toIntExact(child.pid());
      long[] start = new long[1];
      ProcMaps.forEach(
          ProcMaps.path(pid),
          region -> {
            start[0] = region.start();
            return !region.isReadable();
          });
      try (ProcessMemory memory = ProcessMemory.of(pid)) {
        long read = memory.read(start[0], arena.allocate(Long.BYTES));
        return read == Long.BYTES
            ? Finding.ok(CONTEXT, name, "that of a child can be read")
            : Finding.missing(
                CONTEXT,
                name,
                "reading that of a child answers " + Errno.describe((int) -read),
                "run: " + HostExamination.asRoot(Main.COMMAND + " doctor"));
      }
    } catch (IOException e) {
      return Finding.missing(
          CONTEXT, name, "a child process cannot be looked at: " + e.getMessage(), "see /proc");
    } finally {
      end(child);
    }
  }

  private static Finding childStop() {
    String name = "stopping threads";
    Process child = null;
    try {
      child = startChild();
      long result = Libc.ptrace(PTRACE_SEIZE, Math.toIntExact(child.pid()), 0, 0);
      return result >= 0
          ? Finding.ok(CONTEXT, name, "ptrace takes hold of a child, as mode otep needs")
          : Finding.missing(
              CONTEXT,
              name,
              "ptrace of a child answers " + Errno.describe((int) -result),
              "a container needs --cap-add SYS_PTRACE for it");
    } catch (IOException e) {
      return Finding.missing(
          CONTEXT, name, "no child process: " + e.getMessage(), "see that cat is on the PATH");
    } finally {
      end(child);
    }
  }

  /** A process that waits for input and does nothing else. */
  private static Process startChild() throws IOException {
    return new ProcessBuilder("cat").start();
  }

  private static void end(@Nullable Process child) {
    if (child != null) {
      child.destroyForcibly();
    }
  }
}
