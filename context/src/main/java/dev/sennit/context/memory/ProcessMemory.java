/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The memory of another process, read only. {@code process_vm_readv} does the work; where it cannot
 * (an old kernel, a seccomp filter, another PID namespace) {@code /proc/PID/mem} does. Not safe for
 * use by several threads at once.
 */
public final class ProcessMemory implements AutoCloseable {
  /** How many pieces one system call takes: the kernel's UIO_MAXIOV. */
  public static final int MAX_PIECES = 1024;

  private static final int IOVEC_BYTES = 16;

  private final int pid;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment callState = arena.allocate(Libc.callStateSize(), 8);
  private final MemorySegment local = arena.allocate(IOVEC_BYTES, 8);
  private final MemorySegment remote = arena.allocate((long) IOVEC_BYTES * MAX_PIECES, 8);
  private boolean useFile;
  private @Nullable FileChannel file;

  private ProcessMemory(int pid, boolean useFile) {
    this.pid = pid;
    this.useFile = useFile;
  }

  /** Opens the memory of {@code pid}; whether it may be read shows with the first read. */
  public static ProcessMemory of(int pid) {
    return new ProcessMemory(pid, false);
  }

  /** Opens the memory of {@code pid} through {@code /proc/PID/mem} only. */
  public static ProcessMemory throughFile(int pid) {
    return new ProcessMemory(pid, true);
  }

  public int pid() {
    return pid;
  }

  /**
   * Copies memory at {@code address} until {@code into} is full.
   *
   * @return the bytes copied, fewer than asked for where an unmapped page follows, or a negative
   *     error number
   */
  public long read(long address, MemorySegment into) {
    setPiece(0, address, into.byteSize());
    return readPieces(1, into);
  }

  /** Describes piece {@code index} of the next {@link #readPieces}. */
  public void setPiece(int index, long address, long length) {
    long at = (long) index * IOVEC_BYTES;
    remote.set(JAVA_LONG, at, address);
    remote.set(JAVA_LONG, at + 8, length);
  }

  /**
   * Copies the first {@code count} pieces, one after the other and in order, to {@code into}, with
   * one system call.
   *
   * @return as {@link #read}
   */
  public long readPieces(int count, MemorySegment into) {
    if (!useFile) {
      local.set(JAVA_LONG, 0, into.address());
      local.set(JAVA_LONG, 8, into.byteSize());
      long result = Libc.processVmReadv(pid, local, 1, remote, count, callState);
      if (result != -Errno.EPERM && result != -Errno.ENOSYS) {
        return result;
      }
      useFile = true;
    }
    return readPiecesFromFile(count, into);
  }

  private long readPiecesFromFile(int count, MemorySegment into) {
    long copied = 0;
    try {
      FileChannel channel = openFile();
      for (int i = 0; i < count; i++) {
        long address = remote.get(JAVA_LONG, (long) i * IOVEC_BYTES);
        long length = remote.get(JAVA_LONG, (long) i * IOVEC_BYTES + 8);
        if (address < 0) {
          return copied > 0 ? copied : -Errno.EFAULT;
        }
        ByteBuffer target = into.asSlice(copied, length).asByteBuffer();
        while (target.hasRemaining()) {
          int n = channel.read(target, address + target.position());
          if (n <= 0) {
            // The end of /proc/PID/mem is the end of the process.
            return copied > 0 ? copied : -Errno.ESRCH;
          }
          copied += n;
        }
      }
      return copied;
    } catch (ClosedChannelException e) {
      // Interrupting a thread closes the channel that it reads; the next read opens another.
      file = null;
      return -Errno.EINTR;
    } catch (IOException e) {
      if (copied > 0) {
        return copied;
      }
      if (!Files.exists(memPath())) {
        return -Errno.ESRCH;
      }
      return file == null ? -Errno.EACCES : -Errno.EFAULT;
    }
  }

  private FileChannel openFile() throws IOException {
    FileChannel open = file;
    if (open == null) {
      open = FileChannel.open(memPath(), StandardOpenOption.READ);
      file = open;
    }
    return open;
  }

  private Path memPath() {
    return Path.of("/proc", Integer.toString(pid), "mem");
  }

  @Override
  public void close() {
    arena.close();
    FileChannel open = file;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        throw new AssertionError("closing a read-only channel of /proc", e);
      }
    }
  }
}
