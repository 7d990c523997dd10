/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.inbound;

import dev.sennit.context.memory.Errno;
import dev.sennit.context.memory.Libc;
import dev.sennit.context.memory.UnixSockets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

/**
 * A Unix socket that hands a descriptor to every process that connects to it and may have it. No
 * word is exchanged: who the peer is, is the kernel's to say, and so nobody can keep others
 * waiting.
 */
public final class DescriptorSocket implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final int BACKLOG = 128;
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(100);

  private final Path socket;
  private final int listener;
  private final int descriptor;
  private final IntPredicate mayHave;
  private final Thread thread;
  private volatile boolean closed;

  private DescriptorSocket(Path socket, int listener, int descriptor, IntPredicate mayHave) {
    this.socket = socket;
    this.listener = listener;
    this.descriptor = descriptor;
    this.mayHave = mayHave;
    thread = Thread.ofPlatform().name("sennit-descriptors").daemon().unstarted(this::serve);
  }

  /**
   * Begins to hand out a descriptor, which remains the caller's. Everybody may connect who can
   * enter the folder.
   *
   * @param socket a file that is not there yet; closing removes it
   * @param mayHave decides by the peer's number in this process's PID namespace
   * @throws IOException when the socket cannot be made
   */
  public static DescriptorSocket serve(Path socket, int fd, IntPredicate mayHave)
      throws IOException {
    int listener = (int) UnixSockets.open();
    if (listener < 0) {
      throw failure(socket, "cannot be made", listener);
    }
    long bound = UnixSockets.bind(listener, socket.toString());
    if (bound < 0) {
      Libc.close(listener);
      throw failure(socket, "cannot be made", bound);
    }
    try {
      Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
      long listening = UnixSockets.listen(listener, BACKLOG);
      if (listening < 0) {
        throw failure(socket, "cannot be listened to", listening);
      }
    } catch (IOException | RuntimeException e) {
      Libc.close(listener);
      Files.deleteIfExists(socket);
      throw e;
    }
    DescriptorSocket served = new DescriptorSocket(socket, listener, fd, mayHave);
    served.thread.start();
    return served;
  }

  /**
   * Takes the descriptor that a socket hands out; the caller closes it. It takes a second at most
   * to connect, and as long again to get it.
   *
   * @throws IOException when there is no such socket, or it hands nothing to this process
   */
  public static int take(Path socket) throws IOException {
    int connection = (int) UnixSockets.open();
    if (connection < 0) {
      throw failure(socket, "cannot be connected to", connection);
    }
    try {
      long limited = UnixSockets.setTimeout(connection, PATIENCE);
      if (limited < 0) {
        throw failure(socket, "cannot be given a time limit", limited);
      }
      long connected = uninterrupted(() -> UnixSockets.connect(connection, socket.toString()));
      if (connected < 0) {
        throw failure(socket, "cannot be connected to", connected);
      }
      long taken = uninterrupted(() -> UnixSockets.receiveDescriptor(connection));
      if (taken < 0) {
        throw failure(socket, "handed nothing to this process", taken);
      }
      return (int) taken;
    } finally {
      Libc.close(connection);
    }
  }

  /** Profilers interrupt calls that wait, again and again. */
  private static long uninterrupted(LongSupplier call) {
    long begin = System.nanoTime();
    long result = call.getAsLong();
    while (result == -Errno.EINTR && System.nanoTime() - begin < PATIENCE.toNanos()) {
      result = call.getAsLong();
    }
    return result;
  }

  private static IOException failure(Path socket, String what, long negativeErrno) {
    return new IOException(
        "the socket " + socket + " " + what + ": " + Errno.describe((int) -negativeErrno));
  }

  private void serve() {
    while (!closed) {
      int peer = (int) UnixSockets.accept(listener);
      if (peer >= 0) {
        try {
          handTo(peer);
        } finally {
          Libc.close(peer);
        }
      } else if (!closed && peer != -Errno.EINTR) {
        // Most likely there is no descriptor left for the connection; others may give theirs back.
        LockSupport.parkNanos(PAUSE);
      }
    }
  }

  private void handTo(int peer) {
    int pid = (int) UnixSockets.peer(peer);
    try {
      if (pid > 0 && mayHave.test(pid)) {
        UnixSockets.sendDescriptor(peer, descriptor);
      }
    } catch (RuntimeException e) {
      // Who is not known to be one that may have it gets nothing, and the next is served.
    }
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    UnixSockets.shutdown(listener);
    LockSupport.unpark(thread);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Libc.close(listener);
    Files.deleteIfExists(socket);
  }
}
