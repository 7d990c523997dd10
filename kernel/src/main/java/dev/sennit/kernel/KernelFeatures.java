/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import dev.sennit.kernel.libbpf.BpfException;
import dev.sennit.kernel.libbpf.BpfObject;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What this kernel lets the tracer do, found out by trying: the programs are loaded, attached to
 * nothing, and let go.
 *
 * @param library whether libbpf can be loaded
 * @param refusal why the kernel does not take the programs, or null when it does
 * @param unreadIsZero whether sockets in a sockhash say that nothing is unread
 * @param joinsConnections whether connections that are older than the tracer get a traceparent
 * @param seesTls whether the plaintext of TLS can be seen
 */
public record KernelFeatures(
    boolean library,
    @Nullable String refusal,
    boolean unreadIsZero,
    boolean joinsConnections,
    boolean seesTls) {
  /** The name of the library that is looked for. */
  public static String libraryName() {
    return BpfObject.library();
  }

  public static KernelFeatures detect() {
    if (!BpfObject.isSupported()) {
      return new KernelFeatures(false, libraryName() + " is missing", false, false, false);
    }
    try (KernelTracer tracer =
        KernelTracer.load(TracerSettings.defaults(), List.of(), event -> {})) {
      return new KernelFeatures(
          true,
          null,
          tracer.unreadIsZero(),
          OldConnections.canBeJoined(),
          TlsAttachments.isSupported());
    } catch (BpfException | IOException e) {
      return new KernelFeatures(true, String.valueOf(e.getMessage()), false, false, false);
    }
  }
}
