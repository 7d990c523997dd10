/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.context;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/**
 * Datadog's agent as a file, open for as long as the JVM runs. It keeps its classes under a folder
 * and a suffix of its own, so that no class loader but the agent's finds them; {@link #classLoader}
 * does.
 */
final class AgentJar {
  /** System property that names the folder of the peers. */
  static final String PEERS_PROPERTY = "sennit.bench.peers";

  private static final String FOLDER = "shared/";

  private final JarFile jar;

  private AgentJar(JarFile jar) {
    this.jar = jar;
  }

  static AgentJar open() throws IOException {
    Path peers = Path.of(System.getProperty(PEERS_PROPERTY, "bench/target/peers"));
    return new AgentJar(new JarFile(peers.resolve("dd-java-agent.jar").toFile()));
  }

  /** The native library for this machine, where the C library is glibc. */
  byte[] nativeLibrary() throws IOException {
    String architecture =
        switch (System.getProperty("os.arch", "")) {
          case "aarch64" -> "arm64";
          default -> "x64";
        };
    return read(FOLDER + "META-INF/native-libs/linux-" + architecture + "/libjavaProfiler.so");
  }

  /** Loads classes of the agent and of the JDK, and of nobody else. */
  ClassLoader classLoader() {
    return new ClassLoader(ClassLoader.getPlatformClassLoader()) {
      @Override
      protected Class<?> findClass(String name) throws ClassNotFoundException {
        try {
          byte[] bytes = read(FOLDER + name.replace('.', '/') + ".classdata");
          return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
          throw new ClassNotFoundException(name, e);
        }
      }
    };
  }

  private byte[] read(String name) throws IOException {
    ZipEntry entry = jar.getEntry(name);
    if (entry == null) {
      throw new FileNotFoundException(name + " is not in " + jar.getName());
    }
    try (InputStream in = jar.getInputStream(entry)) {
      return in.readAllBytes();
    }
  }
}
