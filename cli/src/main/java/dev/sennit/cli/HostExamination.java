/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static dev.sennit.cli.Finding.Purpose.CONTEXT;
import static dev.sennit.cli.Finding.Purpose.CONVENIENCE;
import static dev.sennit.cli.Finding.Purpose.TESTS;
import static dev.sennit.cli.Finding.Purpose.TRACING;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads what {@code /proc} and {@code /sys} say of permissions, mounts and programs. */
final class HostExamination {
  private static final int CAP_SYS_PTRACE = 19;
  private static final int CAP_SYS_ADMIN = 21;

  /** What loading and attaching BPF programs takes, by number. */
  private static final Map<String, Integer> TRACING_CAPABILITIES = new LinkedHashMap<>();

  static {
    TRACING_CAPABILITIES.put("BPF", 39);
    TRACING_CAPABILITIES.put("PERFMON", 38);
    TRACING_CAPABILITIES.put("NET_ADMIN", 12);
  }

  private HostExamination() {}

  static List<Finding> findings() {
    long capabilities = ownCapabilities();
    String mounts = read("/proc/self/mountinfo");
    String known = read("/proc/filesystems");
    List<Finding> findings = new ArrayList<>();
    findings.add(ptraceScope(read("/proc/sys/kernel/yama/ptrace_scope").strip(), capabilities));
    findings.add(otherUsers(capabilities));
    findings.add(tracingCapabilities(capabilities));
    findings.add(mount(mounts, known, "cgroup2", "/sys/fs/cgroup"));
    findings.add(mount(mounts, known, "tracefs", "/sys/kernel/tracing"));
    findings.add(lockdown(read("/sys/kernel/security/lockdown").strip()));
    Stream.of("gcc", "gdb", "strace").map(HostExamination::program).forEach(findings::add);
    return findings;
  }

  /** Yama restricts whose memory may be read and whose threads may be stopped. */
  static Finding ptraceScope(String scope, long capabilities) {
    String name = "ptrace_scope";
    boolean capable = has(capabilities, CAP_SYS_PTRACE);
    return switch (scope) {
      case "" -> Finding.ok(CONTEXT, name, "Yama is not there to restrict anything");
      case "0" -> Finding.ok(CONTEXT, name, "0: processes of the same user can be read");
      case "1", "2" ->
          capable
              ? Finding.ok(CONTEXT, name, scope + ", and this process has SYS_PTRACE")
              : Finding.missing(
                  CONTEXT,
                  name,
                  scope + (scope.equals("1") ? ": only children" : ": nothing") + " can be read",
                  "run: " + asRoot("sysctl kernel.yama.ptrace_scope=0"));
      default ->
          Finding.missing(
              CONTEXT,
              name,
              scope + ": nobody can read or stop anything",
              "set kernel.yama.ptrace_scope to 0 in /etc/sysctl.d and boot again");
    };
  }

  /** Whether the kernel lets this process look into those of other users. */
  static boolean readsOtherUsers() {
    return has(ownCapabilities(), CAP_SYS_PTRACE);
  }

  /** Whether it lets this process attach programs to functions of others. */
  static boolean mayAttachToFunctions() {
    return has(ownCapabilities(), CAP_SYS_ADMIN);
  }

  private static Finding otherUsers(long capabilities) {
    String name = "other users";
    return has(capabilities, CAP_SYS_PTRACE)
        ? Finding.ok(CONVENIENCE, name, "SYS_PTRACE: their processes can be read")
        : Finding.missing(
            CONVENIENCE,
            name,
            "no SYS_PTRACE: their processes cannot be read",
            "run: sudo " + Main.COMMAND + " ps");
  }

  static Finding tracingCapabilities(long capabilities) {
    String name = "capabilities";
    List<String> held = new ArrayList<>();
    List<String> lacking = new ArrayList<>();
    TRACING_CAPABILITIES.forEach(
        (capability, number) ->
            (has(capabilities, number) ? held : lacking).add("CAP_" + capability));
    return lacking.isEmpty()
        ? Finding.ok(TRACING, name, String.join(", ", held))
        : Finding.missing(
            TRACING,
            name,
            "no " + String.join(", ", lacking),
            "run: sudo " + Main.COMMAND + " doctor");
  }

  /**
   * Finds a file system among lines such as {@code 29 23 0:26 / /sys/fs/cgroup rw shared:4 -
   * cgroup2 cgroup2 rw}.
   */
  static Finding mount(String mountInfo, String known, String type, String usualPlace) {
    for (String line : mountInfo.split("\n")) {
      int separator = line.indexOf(" - ");
      String[] place = line.split(" ");
      if (separator > 0 && place.length > 4 && line.startsWith(type + " ", separator + 3)) {
        return Finding.ok(TRACING, type, "on " + place[4]);
      }
    }
    return known.contains("\t" + type + "\n")
        ? Finding.missing(
            TRACING,
            type,
            "not mounted",
            "run: " + asRoot("mount -t " + type + " " + type + " " + usualPlace))
        : Finding.missing(
            TRACING, type, "not known to this kernel", "it takes a kernel that was built with it");
  }

  /** The kernel marks the state in force: {@code none [integrity] confidentiality}. */
  static Finding lockdown(String states) {
    String name = "lockdown";
    if (states.isEmpty()) {
      return Finding.ok(TRACING, name, "the kernel does not mention any");
    }
    int from = states.indexOf('[') + 1;
    String state = states.substring(from, Math.max(from, states.indexOf(']')));
    return state.equals("confidentiality")
        ? Finding.missing(
            TRACING,
            name,
            "confidentiality: kernel programs may not read memory",
            "boot with lockdown=integrity")
        : Finding.ok(TRACING, name, state);
  }

  private static Finding program(String name) {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
      Path program = Path.of(folder, name);
      if (Files.isExecutable(program)) {
        return Finding.ok(TESTS, name, program.toString());
      }
    }
    return Finding.missing(
        TESTS, name, "not on the PATH", "run: " + asRoot("apt-get install -y " + name));
  }

  private static long ownCapabilities() {
    return effectiveCapabilities(read("/proc/self/status"));
  }

  static long effectiveCapabilities(String status) {
    for (String line : status.split("\n")) {
      if (line.startsWith("CapEff:")) {
        return Long.parseUnsignedLong(line.substring("CapEff:".length()).strip(), 16);
      }
    }
    return 0;
  }

  private static boolean has(long capabilities, int number) {
    return (capabilities >>> number & 1) == 1;
  }

  /** The line as the user has to type it. */
  static String asRoot(String line) {
    return System.getProperty("user.name", "").equals("root") ? line : "sudo " + line;
  }

  private static String read(String file) {
    try {
      return Files.readString(Path.of(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }
}
