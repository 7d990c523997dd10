/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.sennit.context.memory.Libc;
import dev.sennit.context.memory.Memory;
import dev.sennit.testing.AnotherUser;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A descriptor goes from this process to others, and to nobody who may not have it. */
@Requires
@Timeout(60)
class DescriptorSocketTest {
  private static final long NUMBER = 4711;
  private static final int TAKES = 1000;
  private static final int IDLE = 20;

  @TempDir private Path folder;
  private Path socket;
  private int fd;

  @BeforeEach
  void writeNumber() {
    socket = folder.resolve("a.socket");
    fd = (int) Libc.memfdCreate("sennit-test", Libc.MFD_CLOEXEC);
    Libc.ftruncate(fd, Long.BYTES);
    long address = Libc.mmap(0, Long.BYTES, Libc.PROT_READ | Libc.PROT_WRITE, Libc.MAP_SHARED, fd);
    Memory.putLong(address, NUMBER);
    Libc.munmap(address, Long.BYTES);
  }

  @AfterEach
  void closeDescriptor() {
    Libc.close(fd);
  }

  @Test
  void anotherProcessGetsTheDescriptor() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    try (DescriptorSocket served = serve(asked);
        ChildProcess child = ChildProcess.java(DescriptorTaker.class, socket.toString())) {
      assertThat(served).isNotNull();
      assertThat(child.readLine()).isEqualTo("found " + NUMBER);
      assertThat(asked).hasValue(child.pid());
    }
  }

  @Test
  @Requires(root = true, commands = "setpriv")
  void aProcessOfAnotherUserGetsTheDescriptor() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    List<String> command =
        AnotherUser.javaCommand(
            folder,
            List.of(DescriptorSocket.class, DescriptorTaker.class),
            DescriptorTaker.class,
            socket.toString());
    try (DescriptorSocket served = serve(asked);
        ChildProcess child = ChildProcess.start(command)) {
      assertThat(served).isNotNull();
      assertThat(child.readLine()).isEqualTo("found " + NUMBER);
      assertThat(asked).hasValue(child.pid());
    }
  }

  private DescriptorSocket serve(AtomicInteger asked) throws IOException {
    return DescriptorSocket.serve(
        socket,
        fd,
        pid -> {
          asked.set(pid);
          return true;
        });
  }

  @Test
  void whoMayNotHaveItGetsNothing() throws IOException {
    try (DescriptorSocket served = DescriptorSocket.serve(socket, fd, pid -> false);
        ChildProcess child = ChildProcess.java(DescriptorTaker.class, socket.toString())) {
      assertThat(served).isNotNull();
      assertThat(child.readLine())
          .isEqualTo("the socket " + socket + " handed nothing to this process: ENODATA (no data)");
    }
  }

  @Test
  void aDecisionThatFailsIsARefusal() throws IOException {
    AtomicInteger decisions = new AtomicInteger();
    try (DescriptorSocket served =
        DescriptorSocket.serve(
            socket,
            fd,
            pid -> {
              if (decisions.getAndIncrement() == 0) {
                throw new IllegalStateException("the test says so");
              }
              return true;
            })) {
      assertThat(served).isNotNull();
      assertThatIOException().isThrownBy(() -> DescriptorSocket.take(socket));
      Libc.close(DescriptorSocket.take(socket));
    }
  }

  @Test
  void peersThatDoNothingKeepNobodyWaiting() throws IOException {
    List<SocketChannel> idle = new ArrayList<>();
    try (DescriptorSocket served = DescriptorSocket.serve(socket, fd, pid -> true)) {
      assertThat(served).isNotNull();
      for (int i = 0; i < IDLE; i++) {
        idle.add(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
      }
      Libc.close(DescriptorSocket.take(socket));
    } finally {
      for (SocketChannel each : idle) {
        each.close();
      }
    }
  }

  @Test
  void aMissingSocketIsNamed() {
    assertThatIOException()
        .isThrownBy(() -> DescriptorSocket.take(socket))
        .withMessage("the socket " + socket + " cannot be connected to: ENOENT (no such file)");
  }

  @Test
  void aSocketThatNobodyServesAnyMoreIsNamed() throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
    }
    assertThatIOException()
        .isThrownBy(() -> DescriptorSocket.take(socket))
        .withMessageContaining(socket.toString())
        .withMessageContaining("ECONNREFUSED");
  }

  @Test
  void aSocketThatNeverAnswersIsGivenUp() throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      assertThatIOException()
          .isThrownBy(() -> DescriptorSocket.take(socket))
          .withMessageContaining(socket.toString())
          .withMessageContaining("EAGAIN (nothing came in time)");
    }
  }

  @Test
  void aByteWithoutADescriptorIsNothing() throws Exception {
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      Thread answering =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try (SocketChannel accepted = server.accept()) {
                      accepted.write(ByteBuffer.allocate(1));
                    } catch (IOException e) {
                      throw new AssertionError(e);
                    }
                  });
      assertThatIOException()
          .isThrownBy(() -> DescriptorSocket.take(socket))
          .withMessageContaining("ENODATA");
      answering.join();
    }
  }

  @Test
  void noDescriptorIsLeftBehind() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    try (DescriptorSocket served =
        DescriptorSocket.serve(socket, fd, pid -> asked.incrementAndGet() % 2 == 0)) {
      assertThat(served).isNotNull();
      takeTwice();
      long before = openDescriptors();
      for (int i = 0; i < TAKES / 2; i++) {
        takeTwice();
      }
      assertThat(openDescriptors()).isBetween(before - 1, before + 1);
    }
  }

  /** The first is refused. */
  private void takeTwice() throws IOException {
    assertThatIOException().isThrownBy(() -> DescriptorSocket.take(socket));
    Libc.close(DescriptorSocket.take(socket));
  }

  private static long openDescriptors() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.count();
    }
  }

  @Test
  void closingRemovesTheSocketAndOnlyANewOneIsMade() throws IOException {
    DescriptorSocket first = DescriptorSocket.serve(socket, fd, pid -> true);
    assertThatIOException()
        .isThrownBy(() -> DescriptorSocket.serve(socket, fd, pid -> true))
        .withMessageContaining("EADDRINUSE");
    Libc.close(DescriptorSocket.take(socket));
    first.close();
    assertThat(socket).doesNotExist();
    DescriptorSocket.serve(socket, fd, pid -> true).close();
    assertThat(socket).doesNotExist();
  }

  @Test
  void aPathThatIsTooLongIsRefused() {
    Path deep = folder.resolve("a".repeat(120));
    assertThatIOException()
        .isThrownBy(() -> DescriptorSocket.serve(deep, fd, pid -> true))
        .withMessageContaining("ENAMETOOLONG");
  }
}
