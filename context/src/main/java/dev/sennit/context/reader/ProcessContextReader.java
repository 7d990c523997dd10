/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import static dev.sennit.context.process.ProcessContextHeader.PAYLOAD_ADDRESS_OFFSET;
import static dev.sennit.context.process.ProcessContextHeader.PAYLOAD_SIZE_OFFSET;
import static dev.sennit.context.process.ProcessContextHeader.PUBLISHED_AT_OFFSET;
import static dev.sennit.context.process.ProcessContextHeader.SIGNATURE;
import static dev.sennit.context.process.ProcessContextHeader.SIGNATURE_OFFSET;
import static dev.sennit.context.process.ProcessContextHeader.VERSION;
import static dev.sennit.context.process.ProcessContextHeader.VERSION_OFFSET;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.sennit.context.memory.Errno;
import dev.sennit.context.memory.MappedRegion;
import dev.sennit.context.memory.Proc;
import dev.sennit.context.memory.ProcMaps;
import dev.sennit.context.memory.ProcessMemory;
import dev.sennit.context.process.MalformedContextException;
import dev.sennit.context.process.ProcessContextCodec;
import dev.sennit.context.process.ProcessContextHeader;
import dev.sennit.context.reader.ProcessReading.Malformed;
import dev.sennit.context.reader.ProcessReading.NotPublished;
import dev.sennit.context.reader.ProcessReading.Published;
import dev.sennit.context.reader.ProcessReading.Unreadable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reads the process record of any process that this user may read, with the reading protocol of
 * OTEP 4719. Safe for use by several threads.
 */
public final class ProcessContextReader {
  /** Bytes of payload that are read unless more are asked for. */
  public static final int DEFAULT_MAX_PAYLOAD = 64 * 1024;

  /** Bytes of payload that can be asked for. */
  public static final int LARGEST_MAX_PAYLOAD = 1024 * 1024;

  private static final int ATTEMPTS = 3;
  private static final long PAUSE_NANOS = 50_000;
  private static final HexFormat HEX = HexFormat.of();

  /**
   * A process has one record; one that has a heap of mappings by that name wants to keep us busy.
   */
  private static final int MAX_CANDIDATES = 16;

  private final int maxPayloadBytes;

  public ProcessContextReader() {
    this(DEFAULT_MAX_PAYLOAD);
  }

  /** A reader that takes payloads of at most {@code maxPayloadBytes}. */
  public ProcessContextReader(int maxPayloadBytes) {
    if (maxPayloadBytes < 1 || maxPayloadBytes > LARGEST_MAX_PAYLOAD) {
      throw new IllegalArgumentException(
          "maxPayloadBytes=" + maxPayloadBytes + " is not between 1 and " + LARGEST_MAX_PAYLOAD);
    }
    this.maxPayloadBytes = maxPayloadBytes;
  }

  /** Reads the record of {@code pid}. Whatever that process does, this ends and does not throw. */
  public ProcessReading read(int pid) {
    String system = System.getProperty("os.name", "");
    if (!system.equals("Linux")) {
      return new Unreadable("process contexts can be read only on Linux; this is " + system);
    }
    try (ProcessMemory memory = ProcessMemory.of(pid)) {
      Outcome outcome = attempt(memory);
      for (int i = 1; i < ATTEMPTS && outcome.kind == Kind.UNSETTLED; i++) {
        LockSupport.parkNanos(PAUSE_NANOS);
        outcome = attempt(memory);
      }
      return outcome.reading;
    }
  }

  /**
   * What one attempt, or one mapping of it, came to. The kinds are in order of weight: of several
   * mappings the one with the weightiest outcome counts.
   */
  private record Outcome(Kind kind, ProcessReading reading) {
    static Outcome settled(ProcessReading reading) {
      return new Outcome(Kind.SETTLED, reading);
    }

    /** With what to report if the next attempts come to no more. */
    static Outcome unsettled(ProcessReading reading) {
      return new Outcome(Kind.UNSETTLED, reading);
    }

    static Outcome malformed(String reason) {
      return new Outcome(Kind.MALFORMED, new Malformed(reason));
    }
  }

  private enum Kind {
    SETTLED,
    UNSETTLED,
    MALFORMED,
    ABSENT
  }

  private Outcome attempt(ProcessMemory memory) {
    int pid = memory.pid();
    List<MappedRegion> candidates;
    try {
      candidates = candidates(pid);
    } catch (AccessDeniedException e) {
      return Outcome.settled(permissionDenied("mappings", pid));
    } catch (NoSuchFileException e) {
      return Outcome.settled(new Unreadable("no process " + pid));
    } catch (IOException e) {
      return Outcome.settled(
          Proc.exists(pid)
              ? new Unreadable("cannot read " + ProcMaps.path(pid) + ": " + e.getMessage())
              : ended(pid));
    }
    Outcome best = new Outcome(Kind.ABSENT, new NotPublished());
    for (MappedRegion candidate : candidates) {
      Outcome outcome = readAt(candidate.start(), memory);
      if (outcome.kind.compareTo(best.kind) < 0) {
        best = outcome;
      }
      if (best.kind == Kind.SETTLED) {
        break;
      }
    }
    return best;
  }

  private static List<MappedRegion> candidates(int pid) throws IOException {
    List<MappedRegion> candidates = new ArrayList<>();
    ProcMaps.forEach(
        ProcMaps.path(pid),
        region -> {
          if (ProcessContextHeader.isMappingName(region.name())) {
            candidates.add(region);
          }
          return candidates.size() < MAX_CANDIDATES;
        });
    return candidates;
  }

  /**
   * The reading protocol from its second step on. Loads that it orders are in system calls of their
   * own. What was read while the record changed may even be malformed, so the last look at the
   * timestamp decides over every outcome.
   */
  private Outcome readAt(long address, ProcessMemory memory) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment header = arena.allocate(ProcessContextHeader.LENGTH, Long.BYTES);
      long count = memory.read(address, header);
      if (count != ProcessContextHeader.LENGTH) {
        return headerFailure(count, address, memory.pid());
      }
      long signature = header.get(JAVA_LONG, SIGNATURE_OFFSET);
      int version = header.get(JAVA_INT, VERSION_OFFSET);
      long publishedAt = header.get(JAVA_LONG, PUBLISHED_AT_OFFSET);
      if (signature == 0) {
        // Not published yet, or dropped by one who could not unmap it.
        return new Outcome(Kind.ABSENT, new NotPublished());
      }
      if (signature != SIGNATURE) {
        return Outcome.malformed(
            "signature "
                + HEX.formatHex(header.asSlice(0, Long.BYTES).toArray(JAVA_BYTE))
                + " is not that of "
                + ProcessContextHeader.NAME);
      }
      if (version != VERSION) {
        return Outcome.malformed(
            "version "
                + Integer.toUnsignedString(version)
                + " is not supported; "
                + VERSION
                + " is");
      }
      if (publishedAt == 0) {
        return Outcome.unsettled(
            new Unreadable(
                "the record of process %d was being written at each of %d attempts"
                    .formatted(memory.pid(), ATTEMPTS)));
      }

      // Read again, for fields that came before the timestamp in the copy above may be older.
      count = memory.read(address, header);
      if (count != ProcessContextHeader.LENGTH) {
        return headerFailure(count, address, memory.pid());
      }
      Outcome outcome =
          readPayload(
              header.get(JAVA_INT, PAYLOAD_SIZE_OFFSET),
              header.get(JAVA_LONG, PAYLOAD_ADDRESS_OFFSET),
              publishedAt,
              memory,
              arena);
      if (outcome.reading instanceof Unreadable) {
        return outcome;
      }
      MemorySegment timestamp = header.asSlice(0, Long.BYTES);
      count = memory.read(address + PUBLISHED_AT_OFFSET, timestamp);
      if (count != Long.BYTES) {
        return headerFailure(count, address, memory.pid());
      }
      if (timestamp.get(JAVA_LONG, 0) != publishedAt) {
        return Outcome.unsettled(
            new Unreadable(
                "the record of process %d changed during each of %d attempts"
                    .formatted(memory.pid(), ATTEMPTS)));
      }
      return outcome;
    }
  }

  private Outcome readPayload(
      int size, long address, long publishedAt, ProcessMemory memory, Arena arena) {
    if (size == 0) {
      return Outcome.malformed("payload_size is 0");
    }
    if (Integer.compareUnsigned(size, maxPayloadBytes) > 0) {
      return Outcome.malformed(
          "payload_size "
              + Integer.toUnsignedString(size)
              + " is over the limit of "
              + maxPayloadBytes);
    }
    MemorySegment payload = arena.allocate(size);
    long count = memory.read(address, payload);
    if (count < 0) {
      @Nullable Unreadable unreadable = unreadable((int) -count, memory.pid());
      return unreadable != null
          ? Outcome.settled(unreadable)
          : Outcome.malformed(
              "payload pointer 0x%x cannot be read: %s"
                  .formatted(address, Errno.describe((int) -count)));
    }
    if (count < size) {
      return Outcome.malformed(
          "payload pointer 0x%x: only %d of %d bytes can be read".formatted(address, count, size));
    }
    try {
      return Outcome.settled(
          new Published(
              VERSION, publishedAt, ProcessContextCodec.decode(payload.toArray(JAVA_BYTE))));
    } catch (MalformedContextException e) {
      return Outcome.malformed("payload: " + e.getMessage());
    }
  }

  /** A mapping may go while it is read, because its record is dropped; the next attempt tells. */
  private static Outcome headerFailure(long count, long address, int pid) {
    @Nullable Unreadable unreadable = count < 0 ? unreadable((int) -count, pid) : null;
    if (unreadable != null) {
      return Outcome.settled(unreadable);
    }
    return Outcome.unsettled(
        new Malformed(
            "header at 0x%x cannot be read: %s"
                .formatted(address, Errno.describe(count < 0 ? (int) -count : Errno.EFAULT))));
  }

  /** Says why nothing of a process can be read; null if only this address cannot. */
  private static @Nullable Unreadable unreadable(int errno, int pid) {
    return switch (errno) {
      case Errno.ESRCH -> ended(pid);
      case Errno.EPERM, Errno.EACCES -> permissionDenied("memory", pid);
      default -> null;
    };
  }

  private static Unreadable ended(int pid) {
    return new Unreadable("process " + pid + " ended while it was read");
  }

  private static Unreadable permissionDenied(String what, int pid) {
    return new Unreadable(
        "permission denied reading the %s of process %d; run as the same user or as root"
            .formatted(what, pid));
  }
}
