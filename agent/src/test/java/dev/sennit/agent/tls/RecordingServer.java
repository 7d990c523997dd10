/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.tls;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/** A server that keeps the bytes of every request as they came out of TLS. */
final class RecordingServer implements Closeable {
  static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  private static final char[] PASSWORD = "password".toCharArray();

  private final SSLServerSocket listening;
  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());

  RecordingServer(Path store) throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
    managers.init(keys, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    listening =
        (SSLServerSocket)
            context
                .getServerSocketFactory()
                .createServerSocket(0, 128, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /** Makes a key for localhost, with its certificate. */
  static Path store(Path folder) throws IOException, InterruptedException {
    Path store = folder.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD))
            .inheritIO()
            .start();
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool ended with status " + keytool.exitValue());
    }
    return store;
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Head and body of each, in Latin-1. */
  List<String> requests() {
    synchronized (requests) {
      return List.copyOf(requests);
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listening.accept();
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = socket.getInputStream();
      while (true) {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        readUntil(in, request, "\r\n\r\n");
        String head = request.toString(StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
        int length = head.indexOf("content-length: ");
        if (head.contains("transfer-encoding: chunked")) {
          readUntil(in, request, "\r\n0\r\n\r\n");
        } else if (length >= 0) {
          String digits = head.substring(length + 16, head.indexOf("\r\n", length));
          request.write(in.readNBytes(Integer.parseInt(digits)));
        }
        requests.add(request.toString(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().write(ANSWER.getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException e) {
      // The client has gone.
    }
  }

  private static void readUntil(InputStream in, ByteArrayOutputStream into, String end)
      throws IOException {
    int matched = 0;
    while (matched < end.length()) {
      int octet = in.read();
      if (octet < 0) {
        throw new EOFException();
      }
      into.write(octet);
      matched = octet == end.charAt(matched) ? matched + 1 : octet == end.charAt(0) ? 1 : 0;
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
