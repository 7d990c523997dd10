/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import dev.sennit.testing.ChildProcess;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * What programs need to speak TLS in a test: a certificate, and copies of the library and of Node.
 * The kernel stops at functions of a file, and no other process of this machine has these.
 */
final class TlsFiles {
  private static final String PASSWORD = "password";

  private final Path folder;

  TlsFiles(Path folder) {
    this.folder = folder;
    run(
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout \"$0\" -out"
            + " \"$1\" && openssl pkcs12 -export -passout pass:"
            + PASSWORD
            + " -inkey \"$0\" -in \"$1\" -out \"$2\"",
        key(),
        certificate(),
        store());
    // Those that curl uses, under the names by which programs look for them.
    run(
        "ldd \"$(command -v curl)\" | awk '$1 ~ /^lib(ssl|crypto)/ { print $3 }' | xargs -I{} cp"
            + " -L {} \"$0\"",
        folder.toString());
  }

  String certificate() {
    return folder.resolve("certificate.pem").toString();
  }

  String key() {
    return folder.resolve("key.pem").toString();
  }

  private String store() {
    return folder.resolve("store.p12").toString();
  }

  /** For servers in the JVM of the test. */
  SSLContext context() {
    try (InputStream in = new FileInputStream(store())) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, PASSWORD.toCharArray());
      KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
      managers.init(keys, PASSWORD.toCharArray());
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A file of the tests' resources, where programs can read it. */
  String resource(String name) {
    Path file = folder.resolve(name);
    try (InputStream in = TlsFiles.class.getResourceAsStream(name)) {
      Files.write(file, in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file.toString();
  }

  String node() {
    Path copy = folder.resolve("node");
    if (!Files.exists(copy)) {
      run("cp -L \"$(command -v node)\" \"$0\"", copy.toString());
    }
    return copy.toString();
  }

  /** The command with the copied library. */
  List<String> command(List<String> command) {
    return Stream.concat(Stream.of("env", "LD_LIBRARY_PATH=" + folder), command.stream()).toList();
  }

  static void run(String script, String... arguments) {
    try (ChildProcess shell =
        ChildProcess.start(
            Stream.concat(Stream.of("sh", "-c", script), Stream.of(arguments)).toList())) {
      if (shell.waitFor() != 0) {
        throw new AssertionError(script + ": " + shell.errors());
      }
    }
  }
}
