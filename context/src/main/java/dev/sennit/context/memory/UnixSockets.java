/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Unix sockets by the calls of libc, in the convention of {@link Libc}, for what Java's own cannot:
 * a descriptor that goes from one process to another. The structures are those of 64-bit Linux;
 * elsewhere no socket can be opened.
 */
public final class UnixSockets {
  private static final boolean IS_LINUX = System.getProperty("os.name", "").equals("Linux");

  private static final int AF_UNIX = 1;
  private static final int SOCK_STREAM = 1;
  private static final int SOCK_CLOEXEC = 0x80000;
  private static final int SOL_SOCKET = 1;
  private static final int SO_PEERCRED = 17;
  private static final int SO_RCVTIMEO = 20;
  private static final int SO_SNDTIMEO = 21;
  private static final int SCM_RIGHTS = 1;
  private static final int SHUT_RDWR = 2;
  private static final int MSG_DONTWAIT = 0x40;
  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int MSG_CMSG_CLOEXEC = 0x40000000;

  /** {@code struct sockaddr_un}: the family, and a path that ends with a zero. */
  private static final int ADDRESS_SIZE = 110;

  private static final int ADDRESS_PATH = Short.BYTES;

  private static final int CREDENTIALS_SIZE = 12;

  /** {@code struct msghdr}. */
  private static final int MESSAGE_SIZE = 56;

  private static final int MESSAGE_PIECES = 16;
  private static final int MESSAGE_PIECE_COUNT = 24;
  private static final int MESSAGE_CONTROL = 32;
  private static final int MESSAGE_CONTROL_LENGTH = 40;

  /** {@code struct cmsghdr}, and one descriptor without padding, so that no second one fits. */
  private static final int CONTROL_LEVEL = 8;

  private static final int CONTROL_TYPE = 12;
  private static final int CONTROL_DESCRIPTOR = 16;
  private static final int CONTROL_SIZE = 20;

  private static final @Nullable MethodHandle SOCKET =
      Libc.find("socket", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
  private static final @Nullable MethodHandle BIND =
      Libc.find("bind", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final @Nullable MethodHandle CONNECT =
      Libc.find("connect", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final @Nullable MethodHandle LISTEN =
      Libc.find("listen", JAVA_INT, JAVA_INT, JAVA_INT);
  private static final @Nullable MethodHandle ACCEPT =
      Libc.find("accept4", JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
  private static final @Nullable MethodHandle SHUTDOWN =
      Libc.find("shutdown", JAVA_INT, JAVA_INT, JAVA_INT);
  private static final @Nullable MethodHandle GET_OPTION =
      Libc.find("getsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
  private static final @Nullable MethodHandle SET_OPTION =
      Libc.find("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final @Nullable MethodHandle SEND =
      Libc.find("sendmsg", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT);
  private static final @Nullable MethodHandle RECEIVE =
      Libc.find("recvmsg", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT);

  private UnixSockets() {}

  /** A stream socket, which no child inherits; the result is its descriptor. */
  public static long open() {
    return IS_LINUX
        ? Libc.call(
            SOCKET,
            (handle, state) ->
                (int) handle.invokeExact(state, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0))
        : -Errno.ENOSYS;
  }

  /** Makes the socket's file. */
  public static long bind(int fd, String path) {
    return withAddress(BIND, fd, path);
  }

  public static long connect(int fd, String path) {
    return withAddress(CONNECT, fd, path);
  }

  private static long withAddress(@Nullable MethodHandle function, int fd, String path) {
    byte[] name = path.getBytes(StandardCharsets.UTF_8);
    if (name.length >= ADDRESS_SIZE - ADDRESS_PATH) {
      return -Errno.ENAMETOOLONG;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = arena.allocate(ADDRESS_SIZE, Short.BYTES);
      address.set(JAVA_SHORT, 0, (short) AF_UNIX);
      MemorySegment.copy(name, 0, address, JAVA_BYTE, ADDRESS_PATH, name.length);
      int length = ADDRESS_PATH + name.length + 1;
      return Libc.call(
          function, (handle, state) -> (int) handle.invokeExact(state, fd, address, length));
    }
  }

  public static long listen(int fd, int backlog) {
    return Libc.call(LISTEN, (handle, state) -> (int) handle.invokeExact(state, fd, backlog));
  }

  /** Waits for a connection; the result is its descriptor, or an error once it was shut down. */
  public static long accept(int fd) {
    return Libc.call(
        ACCEPT,
        (handle, state) ->
            (int)
                handle.invokeExact(
                    state, fd, MemorySegment.NULL, MemorySegment.NULL, SOCK_CLOEXEC));
  }

  /** Ends what waits on the socket, in whatever thread. */
  public static long shutdown(int fd) {
    return Libc.call(SHUTDOWN, (handle, state) -> (int) handle.invokeExact(state, fd, SHUT_RDWR));
  }

  /** How long connecting, sending and receiving each may wait; then they answer EAGAIN. */
  public static long setTimeout(int fd, Duration limit) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment time = arena.allocate(2 * Long.BYTES, Long.BYTES);
      time.set(JAVA_LONG, 0, limit.toSeconds());
      time.set(JAVA_LONG, Long.BYTES, limit.toNanosPart() / 1000);
      long sending = setOption(fd, SO_SNDTIMEO, time);
      return sending < 0 ? sending : setOption(fd, SO_RCVTIMEO, time);
    }
  }

  private static long setOption(int fd, int option, MemorySegment value) {
    int size = (int) value.byteSize();
    return Libc.call(
        SET_OPTION,
        (handle, state) -> (int) handle.invokeExact(state, fd, SOL_SOCKET, option, value, size));
  }

  /** The process that connected, as this PID namespace numbers it; 0 where it does not. */
  public static long peer(int fd) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment credentials = arena.allocate(CREDENTIALS_SIZE, Integer.BYTES);
      MemorySegment size = arena.allocateFrom(JAVA_INT, CREDENTIALS_SIZE);
      long result =
          Libc.call(
              GET_OPTION,
              (handle, state) ->
                  (int) handle.invokeExact(state, fd, SOL_SOCKET, SO_PEERCRED, credentials, size));
      return result < 0 ? result : credentials.get(JAVA_INT, 0);
    }
  }

  /** Sends one byte and a descriptor, or answers EAGAIN where that would have to wait. */
  public static long sendDescriptor(int fd, int descriptor) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment control = arena.allocate(CONTROL_SIZE, Long.BYTES);
      control.set(JAVA_LONG, 0, CONTROL_SIZE);
      control.set(JAVA_INT, CONTROL_LEVEL, SOL_SOCKET);
      control.set(JAVA_INT, CONTROL_TYPE, SCM_RIGHTS);
      control.set(JAVA_INT, CONTROL_DESCRIPTOR, descriptor);
      MemorySegment message = message(arena, control);
      return Libc.call(
          SEND,
          (handle, state) ->
              (long) handle.invokeExact(state, fd, message, MSG_DONTWAIT | MSG_NOSIGNAL));
    }
  }

  /** Receives a descriptor, which no child inherits; ENODATA when the peer sends none. */
  public static long receiveDescriptor(int fd) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment control = arena.allocate(CONTROL_SIZE, Long.BYTES);
      MemorySegment message = message(arena, control);
      long received =
          Libc.call(
              RECEIVE,
              (handle, state) -> (long) handle.invokeExact(state, fd, message, MSG_CMSG_CLOEXEC));
      if (received < 0) {
        return received;
      }
      boolean brought =
          message.get(JAVA_INT, MESSAGE_CONTROL_LENGTH) == CONTROL_SIZE
              && control.get(JAVA_INT, CONTROL_LEVEL) == SOL_SOCKET
              && control.get(JAVA_INT, CONTROL_TYPE) == SCM_RIGHTS;
      return brought ? control.get(JAVA_INT, CONTROL_DESCRIPTOR) : -Errno.ENODATA;
    }
  }

  /** A message of one byte: one without any would be the end of the stream. */
  private static MemorySegment message(Arena arena, MemorySegment control) {
    MemorySegment piece = arena.allocate(2 * Long.BYTES, Long.BYTES);
    piece.set(ADDRESS, 0, arena.allocate(1));
    piece.set(JAVA_LONG, Long.BYTES, 1);
    MemorySegment message = arena.allocate(MESSAGE_SIZE, Long.BYTES);
    message.set(ADDRESS, MESSAGE_PIECES, piece);
    message.set(JAVA_LONG, MESSAGE_PIECE_COUNT, 1);
    message.set(ADDRESS, MESSAGE_CONTROL, control);
    message.set(JAVA_LONG, MESSAGE_CONTROL_LENGTH, control.byteSize());
    return message;
  }
}
