/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel.libbpf;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.sennit.context.memory.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds out, with two sockets of our own, whether a socket in a sockhash still says how much is
 * unread: on many kernels it says 0.
 */
@SuppressWarnings("restricted")
public final class SockhashCheck implements AutoCloseable {
  private static final int AF_INET = 2;
  private static final int SOCK_STREAM = 1;
  private static final int FIONREAD = 0x541b;
  private static final int ADDRESS_SIZE = 16;
  private static final int LOOPBACK = 0x0100007f;
  private static final int SENT = 5;
  private static final int ATTEMPTS = 1000;

  private static final MethodHandle SOCKET = bind("socket", JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle BIND = bind("bind", JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle LISTEN = bind("listen", JAVA_INT, JAVA_INT);
  private static final MethodHandle NAME = bind("getsockname", JAVA_INT, ADDRESS, ADDRESS);
  private static final MethodHandle CONNECT = bind("connect", JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle ACCEPT = bind("accept", JAVA_INT, ADDRESS, ADDRESS);
  private static final MethodHandle SEND = bind("send", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
  private static final MethodHandle RECEIVE = bind("recv", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
  private static final MethodHandle IOCTL =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("ioctl"),
              FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
              Linker.Option.firstVariadicArg(2));

  private final Arena arena = Arena.ofConfined();
  private final List<Integer> open = new ArrayList<>();

  private SockhashCheck() {}

  /**
   * Puts a socket into the sockhash, asks it, and takes it out again.
   *
   * @return true when it says that nothing is unread though something is
   * @throws BpfException when the two sockets cannot be had
   */
  public static boolean unreadIsZero(BpfMap sockhash) {
    try (SockhashCheck check = new SockhashCheck()) {
      return check.run(sockhash);
    }
  }

  private boolean run(BpfMap sockhash) {
    MemorySegment address = arena.allocate(ADDRESS_SIZE, 8);
    address.set(JAVA_SHORT, 0, (short) AF_INET);
    address.set(JAVA_INT, 4, LOOPBACK);
    MemorySegment size = arena.allocateFrom(JAVA_INT, ADDRESS_SIZE);
    int server = opened("socket", call(SOCKET, AF_INET, SOCK_STREAM, 0));
    checked("bind", call(BIND, server, address, ADDRESS_SIZE));
    checked("listen", call(LISTEN, server, 1));
    checked("getsockname", call(NAME, server, address, size));
    int client = opened("socket", call(SOCKET, AF_INET, SOCK_STREAM, 0));
    checked("connect", call(CONNECT, client, address, ADDRESS_SIZE));
    int accepted = opened("accept", call(ACCEPT, server, MemorySegment.NULL, MemorySegment.NULL));
    // No cookie is as large.
    MemorySegment key = arena.allocateFrom(JAVA_LONG, Long.MAX_VALUE);
    MemorySegment value = arena.allocateFrom(JAVA_LONG, client);
    int result = Libbpf.update(sockhash.fd(), key, value, 0);
    if (result < 0) {
      throw new BpfException("a socket cannot be put into a sockhash", -result);
    }
    try {
      checked("send", call(SEND, accepted, arena.allocate(SENT), (long) SENT, 0));
      awaitArrival(client);
      MemorySegment unread = arena.allocate(JAVA_INT);
      checked("ioctl", call(IOCTL, client, (long) FIONREAD, unread));
      return unread.get(JAVA_INT, 0) != SENT;
    } finally {
      Libbpf.delete(sockhash.fd(), key);
    }
  }

  /** Looks without taking, until the bytes have come. */
  private void awaitArrival(int socket) {
    int peek = 2;
    MemorySegment buffer = arena.allocate(SENT);
    for (int i = 0; i < ATTEMPTS && call(RECEIVE, socket, buffer, (long) SENT, peek) < SENT; i++) {
      Thread.onSpinWait();
    }
  }

  private int opened(String what, int fd) {
    open.add(checked(what, fd));
    return fd;
  }

  private static int checked(String what, int result) {
    if (result < 0) {
      throw new BpfException("the check of the sockhash fails at " + what, 0);
    }
    return result;
  }

  private static MethodHandle bind(String name, MemoryLayout... parameters) {
    return Linker.nativeLinker()
        .downcallHandle(
            Linker.nativeLinker().defaultLookup().findOrThrow(name),
            FunctionDescriptor.of(JAVA_INT, parameters));
  }

  private static int call(MethodHandle function, Object... arguments) {
    try {
      return (int) function.invokeWithArguments(arguments);
    } catch (Throwable t) {
      throw new AssertionError("a call of libc does not throw", t);
    }
  }

  @Override
  public void close() {
    open.forEach(Libc::close);
    arena.close();
  }
}
