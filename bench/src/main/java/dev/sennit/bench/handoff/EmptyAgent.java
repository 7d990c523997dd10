/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.handoff;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** An agent that does nothing: what a JVM loses because it has any. */
public final class EmptyAgent {
  private EmptyAgent() {}

  /** What the JVM calls. */
  public static void premain(String options) {}

  /** Its jar, made anew. */
  static Path jar(Path folder) throws IOException {
    Path jar = folder.resolve("empty-agent.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", EmptyAgent.class.getName());
    String name = EmptyAgent.class.getName().replace('.', '/') + ".class";
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
        InputStream in = EmptyAgent.class.getResourceAsStream("EmptyAgent.class")) {
      if (in == null) {
        throw new IOException("there is no " + name);
      }
      out.putNextEntry(new JarEntry(name));
      in.transferTo(out);
      out.closeEntry();
    }
    return jar;
  }
}
