/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ServerSocketFactory;

/**
 * A server that keeps every request as the bytes it came in, in the order of their ends, and what
 * it could not understand as well. Frames of a WebSocket are kept without their random mask.
 */
final class Recorder implements AutoCloseable {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  private static final Pattern LENGTH = header("Content-Length: *(\\d+)");
  private static final Pattern CHUNKED = header("Transfer-Encoding: *chunked");
  private static final Pattern EXPECT = header("Expect: *100-continue");
  private static final Pattern CLOSE = header("Connection: *close");
  private static final Pattern UPGRADE = header("Upgrade: *websocket");
  private static final Pattern KEY = header("Sec-WebSocket-Key: *(\\S+)");
  private static final String KEY_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final int CLOSING = 8;

  private final ServerSocket server;
  private final AtomicInteger open = new AtomicInteger();
  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());

  Recorder(ServerSocketFactory factory) {
    try {
      server = factory.createServerSocket(0, 1024, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofPlatform().daemon().name("recorder").start(this::accept);
  }

  private static Pattern header(String pattern) {
    return Pattern.compile("\r\n" + pattern + "\r\n", Pattern.CASE_INSENSITIVE);
  }

  int port() {
    return server.getLocalPort();
  }

  /**
   * The requests since this was last asked for, one character for each byte, once the connections
   * are closed.
   */
  List<String> take() {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (open.get() > 0) {
      if (System.nanoTime() > end) {
        throw new AssertionError(open + " connections were not closed");
      }
      Thread.onSpinWait();
    }
    synchronized (requests) {
      List<String> taken = List.copyOf(requests);
      requests.clear();
      return taken;
    }
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        open.incrementAndGet();
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    serve(socket);
                  } finally {
                    open.decrementAndGet();
                  }
                });
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (socket;
        InputStream in = new BufferedInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream()) {
      socket.setTcpNoDelay(true);
      while (readHead(in, bytes)) {
        String head = text(bytes);
        if (EXPECT.matcher(head).find()) {
          write(out, "HTTP/1.1 100 Continue\r\n\r\n");
        }
        boolean upgrade = UPGRADE.matcher(head).find();
        if (upgrade) {
          write(out, switching(head));
          readFrames(in, bytes);
        } else {
          readBody(in, head, bytes);
        }
        requests.add(text(bytes));
        bytes.reset();
        write(out, upgrade ? "\u0088\u0000" : OK);
        if (upgrade) {
          return;
        }
        if (CLOSE.matcher(head).find()) {
          return;
        }
      }
    } catch (IOException e) {
      bytes.writeBytes(e.toString().getBytes(StandardCharsets.ISO_8859_1));
    }
    if (bytes.size() > 0) {
      requests.add("not understood: " + text(bytes));
    }
  }

  /** Answers false at the end of the connection. */
  private static boolean readHead(InputStream in, ByteArrayOutputStream bytes) throws IOException {
    int last = 0;
    for (int b = in.read(); b >= 0; b = in.read()) {
      bytes.write(b);
      last = last << 8 | b;
      if (last == ('\r' << 24 | '\n' << 16 | '\r' << 8 | '\n')) {
        return true;
      }
    }
    return false;
  }

  private static void readBody(InputStream in, String head, ByteArrayOutputStream bytes)
      throws IOException {
    Matcher length = LENGTH.matcher(head);
    if (length.find()) {
      bytes.writeBytes(in.readNBytes(Integer.parseInt(length.group(1))));
    } else if (CHUNKED.matcher(head).find()) {
      int size;
      do {
        size = Integer.parseInt(readLine(in, bytes).strip(), 16);
        bytes.writeBytes(in.readNBytes(size));
        readLine(in, bytes);
      } while (size > 0);
    }
  }

  private static String readLine(InputStream in, ByteArrayOutputStream bytes) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b >= 0; b = in.read()) {
      bytes.write(b);
      line.append((char) b);
      if (b == '\n') {
        break;
      }
    }
    return line.toString();
  }

  /** Frames of a client up to the one that closes (RFC 6455, section 5.2), of up to 64 KiB. */
  private static void readFrames(InputStream in, ByteArrayOutputStream bytes) throws IOException {
    int code;
    do {
      int first = in.read();
      code = first & 0xf;
      int length = in.read() & 0x7f;
      if (length == 126) {
        length = in.read() << 8 | in.read();
      }
      byte[] mask = in.readNBytes(4);
      byte[] data = in.readNBytes(length);
      for (int i = 0; i < data.length; i++) {
        data[i] ^= mask[i % 4];
      }
      bytes.write(first);
      bytes.writeBytes(data);
    } while (code != CLOSING);
  }

  private static String switching(String head) {
    Matcher key = KEY.matcher(head);
    if (!key.find()) {
      throw new AssertionError("no key in " + head);
    }
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-1")
              .digest((key.group(1) + KEY_SUFFIX).getBytes(StandardCharsets.US_ASCII));
      return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          + "Sec-WebSocket-Accept: "
          + Base64.getEncoder().encodeToString(digest)
          + "\r\n\r\n";
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
