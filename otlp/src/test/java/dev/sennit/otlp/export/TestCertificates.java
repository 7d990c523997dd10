/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import dev.sennit.testing.ChildProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * Keys and self-signed certificates made by the JDK's {@code keytool}: for a server that calls
 * itself {@code localhost}, for one that calls itself otherwise, and for a client.
 */
final class TestCertificates {
  private static final char[] PASSWORD = "test-only".toCharArray();

  private final Path folder;
  private final KeyStore serverStore;

  TestCertificates(Path folder) {
    this(folder, "localhost");
  }

  TestCertificates(Path folder, String serverName) {
    this.folder = folder;
    try {
      serverStore = make("server", serverName, "RSA");
      make("client", "client", "EC");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private KeyStore make(String alias, String name, String algorithm)
      throws IOException, GeneralSecurityException {
    Path store = folder.resolve(alias + ".p12");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            alias,
            "-keyalg",
            algorithm,
            "-dname",
            "CN=" + name,
            "-ext",
            "san=dns:" + name,
            "-validity",
            "2",
            "-storetype",
            "PKCS12",
            "-keystore",
            store.toString(),
            "-storepass",
            new String(PASSWORD));
    try (ChildProcess keytool = ChildProcess.start(command)) {
      if (keytool.waitFor() != 0) {
        throw new AssertionError("keytool: " + keytool.readAll() + keytool.errors());
      }
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    Certificate certificate = keys.getCertificate(alias);
    Key key = keys.getKey(alias, PASSWORD);
    write(alias + ".pem", "CERTIFICATE", certificate.getEncoded());
    write(alias + "-key.pem", "PRIVATE KEY", key.getEncoded());
    return keys;
  }

  private void write(String file, String what, byte[] content) throws IOException {
    Files.writeString(
        folder.resolve(file),
        "-----BEGIN "
            + what
            + "-----\n"
            + Base64.getMimeEncoder().encodeToString(content)
            + "\n-----END "
            + what
            + "-----\n");
  }

  Path server() {
    return folder.resolve("server.pem");
  }

  Path serverKey() {
    return folder.resolve("server-key.pem");
  }

  Path client() {
    return folder.resolve("client.pem");
  }

  Path clientKey() {
    return folder.resolve("client-key.pem");
  }

  SSLContext serverContext() {
    try {
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(serverStore, PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
