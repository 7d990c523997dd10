/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Stands between a real client and a real server on the loopback interface, passes on what they say
 * and keeps it: a {@link Session} for each connection.
 */
public final class LoopbackTap implements AutoCloseable {
  private final ServerSocket listener;
  private final int target;
  private final List<Recording> recordings = Collections.synchronizedList(new ArrayList<>());
  private final List<Thread> threads = Collections.synchronizedList(new ArrayList<>());

  private record Recording(Socket client, Socket server, List<Session.Move> moves) {}

  private LoopbackTap(ServerSocket listener, int target) {
    this.listener = listener;
    this.target = target;
  }

  /** Begins to listen for a server that listens on a port of the loopback interface. */
  public static LoopbackTap before(int port) {
    try {
      ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      LoopbackTap tap = new LoopbackTap(listener, port);
      tap.run("tap", tap::accept);
      return tap;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where clients find it. */
  public int port() {
    return listener.getLocalPort();
  }

  private void run(String name, Runnable task) {
    threads.add(Thread.ofPlatform().daemon().name(name).start(task));
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        Recording recording = new Recording(client, server, new ArrayList<>());
        recordings.add(recording);
        run("tap requests", () -> pass(recording, Side.REQUESTS, client, server));
        run("tap responses", () -> pass(recording, Side.RESPONSES, server, client));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private static void pass(Recording recording, Side side, Socket from, Socket to) {
    byte[] buffer = new byte[1 << 16];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        // Noted before it is passed on: nothing can be said in answer to it earlier.
        synchronized (recording.moves) {
          recording.moves.add(new Session.Move(side, Arrays.copyOf(buffer, n)));
        }
        out.write(buffer, 0, n);
      }
      to.shutdownOutput();
    } catch (IOException e) {
      // One of the two has gone.
    }
  }

  /** Ends all connections and gives what was said on each that moved anything. */
  public List<Session> sessions() {
    close();
    List<Session> sessions = new ArrayList<>();
    for (Recording recording : recordings) {
      synchronized (recording.moves) {
        if (!recording.moves.isEmpty()) {
          sessions.add(Session.of(recording.moves));
        }
      }
    }
    return sessions;
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Recording recording : List.copyOf(recordings)) {
        recording.client.close();
        recording.server.close();
      }
      for (Thread thread : List.copyOf(threads)) {
        thread.join();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the tap was closed", e);
    }
  }
}
