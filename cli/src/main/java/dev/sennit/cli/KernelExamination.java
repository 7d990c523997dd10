/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static dev.sennit.cli.Finding.Purpose.TRACING;

import dev.sennit.kernel.KernelFeatures;
import java.util.List;

/** What {@code doctor} finds out of the kernel by having it take the programs. */
final class KernelExamination {
  private KernelExamination() {}

  static List<Finding> findings() {
    return findings(KernelFeatures.detect());
  }

  static List<Finding> findings(KernelFeatures features) {
    if (!features.library()) {
      return List.of(
          Finding.missing(
              TRACING,
              "libbpf",
              KernelFeatures.libraryName() + " cannot be loaded",
              "run: " + HostExamination.asRoot("apt-get install -y libbpf1")));
    }
    Finding library = Finding.ok(TRACING, "libbpf", KernelFeatures.libraryName());
    String refusal = features.refusal();
    if (refusal != null) {
      return List.of(
          library,
          Finding.missing(TRACING, "programs", refusal, "run: sudo " + Main.COMMAND + " doctor"));
    }
    return List.of(
        library,
        Finding.ok(TRACING, "programs", "the kernel takes them"),
        Finding.ok(
            TRACING,
            "unread bytes",
            features.unreadIsZero()
                ? "FIONREAD says 0 for enrolled sockets; programs that ask are not enrolled"
                : "FIONREAD is right for enrolled sockets"),
        Finding.ok(
            TRACING,
            "old connections",
            features.joinsConnections()
                ? "they are seen, and get a traceparent after a response"
                : "they are seen; before kernel 6.4 they get no traceparent"),
        tls(features.seesTls(), HostExamination.mayAttachToFunctions()));
  }

  /** The rest of tracing works without. */
  static Finding tls(boolean supported, boolean allowed) {
    String name = "TLS";
    if (!supported) {
      return Finding.missing(
          TRACING,
          name,
          "what goes through OpenSSL is not seen: the kernel has no uprobes",
          "it takes a kernel that was built with CONFIG_UPROBE_EVENTS");
    }
    return allowed
        ? Finding.ok(TRACING, name, "what goes through OpenSSL is seen")
        : Finding.missing(
            TRACING,
            name,
            "what goes through OpenSSL is not seen: no CAP_SYS_ADMIN",
            "run: sudo " + Main.COMMAND + " doctor");
  }
}
