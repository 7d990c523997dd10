/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.context.inbound.DescriptorSocket;
import dev.sennit.kernel.InboundMap;
import dev.sennit.kernel.KernelTracer;
import dev.sennit.kernel.Target;
import dev.sennit.kernel.TracerSettings;
import dev.sennit.kernel.libbpf.BpfException;
import dev.sennit.kernel.ring.EventConsumer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Offers observed processes the memory in which the kernel's programs tell threads what they have
 * read: an array that outlives the programs, and a socket that hands it out. Where it cannot be
 * had, everything else goes on.
 */
final class InboundOffer implements AutoCloseable {
  private final @Nullable InboundMap map;
  private final @Nullable Handing handing;
  private final String problem;

  /** The socket, in a folder of its own that everybody can enter. */
  private record Handing(Path folder, Path file, DescriptorSocket socket) {}

  private InboundOffer(@Nullable InboundMap map, @Nullable Handing handing, String problem) {
    this.map = map;
    this.handing = handing;
    this.problem = problem;
  }

  /** Makes an offer to the processes that may have it. */
  static InboundOffer make(IntPredicate mayHave) {
    InboundMap map;
    try {
      map = InboundMap.create();
    } catch (BpfException e) {
      return new InboundOffer(null, null, String.valueOf(e.getMessage()));
    }
    try {
      return new InboundOffer(map, hand(map, mayHave), "");
    } catch (IOException | RuntimeException e) {
      return new InboundOffer(map, null, e.toString());
    }
  }

  private static Handing hand(InboundMap map, IntPredicate mayHave) throws IOException {
    Path folder = Files.createTempDirectory("sennit-inbound-");
    try {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
      Path file = folder.resolve("inbound");
      return new Handing(folder, file, map.handOut(file, mayHave));
    } catch (IOException | RuntimeException e) {
      Files.delete(folder);
      throw e;
    }
  }

  /** Loads programs that write to the array, if there is one. */
  KernelTracer load(TracerSettings settings, List<Target> targets, EventConsumer consumer)
      throws IOException {
    return map == null
        ? KernelTracer.load(settings, targets, consumer)
        : KernelTracer.load(settings, targets, consumer, map);
  }

  /** Where the array is handed out. */
  Optional<Path> socket() {
    return Optional.ofNullable(handing).map(Handing::file);
  }

  /** What to add to the description of the hook; nothing if all is well. */
  String describe() {
    return problem.isEmpty() ? "" : "; processes are not told what their threads read: " + problem;
  }

  @Override
  public void close() {
    if (handing != null) {
      try {
        handing.socket.close();
        Files.deleteIfExists(handing.folder);
      } catch (IOException e) {
        // A folder that stays behind is empty but for a socket that nobody serves.
      }
    }
    if (map != null) {
      map.close();
    }
  }
}
