/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Packs the agent: its first classes in the root, where the JVM looks for them, and everything else
 * in the folder {@code core}, where nothing is taken for a class by those who search the class
 * path. The same input gives the same bytes.
 *
 * <p>Arguments: the jar to write, the version, and the class path to pack.
 */
final class AgentJar {
  private static final String ROOT = "dev/sennit/agent/boot/";
  private static final String CORE = "core/";
  private static final String SERVICES = "META-INF/services/";
  private static final String VERSIONS = "META-INF/versions/";
  private static final int RELEASE = 25;
  private static final LocalDateTime TIME = LocalDateTime.of(2026, 1, 1, 0, 0);

  private final Map<String, byte[]> entries = new TreeMap<>();

  public static void main(String[] arguments) throws IOException {
    AgentJar jar = new AgentJar();
    for (String place : arguments[2].split(":")) {
      jar.addPlace(Path.of(place));
    }
    jar.write(Path.of(arguments[0]), arguments[1]);
  }

  private void addPlace(Path place) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    if (Files.isDirectory(place)) {
      try (Stream<Path> walk = Files.walk(place)) {
        for (Path file : walk.filter(Files::isRegularFile).toList()) {
          files.put(place.relativize(file).toString(), Files.readAllBytes(file));
        }
      }
    } else {
      try (ZipFile zip = new ZipFile(place.toFile())) {
        for (ZipEntry entry : zip.stream().filter(e -> !e.isDirectory()).toList()) {
          files.put(entry.getName(), zip.getInputStream(entry).readAllBytes());
        }
      }
    }
    String origin = place.getFileName().toString();
    newest(files).forEach((name, content) -> add(origin, name, content));
  }

  /** What a JVM of this release sees of a jar that has classes for several. */
  private static Map<String, byte[]> newest(Map<String, byte[]> files) {
    Map<String, byte[]> seen = new TreeMap<>(files);
    seen.keySet().removeIf(name -> name.startsWith(VERSIONS));
    for (int release = 9; release <= RELEASE; release++) {
      String prefix = VERSIONS + release + "/";
      files.forEach(
          (name, content) -> {
            if (name.startsWith(prefix)) {
              seen.put(name.substring(prefix.length()), content);
            }
          });
    }
    return seen;
  }

  private void add(String origin, String name, byte[] content) {
    if (name.equals("module-info.class") || name.startsWith("macos/")) {
      return;
    }
    if (name.startsWith(ROOT)) {
      put(name, content);
    } else if (name.startsWith(SERVICES)) {
      entries.merge(CORE + name, withNewline(content), AgentJar::joined);
    } else if (!name.startsWith("META-INF/")) {
      String suffix = ".class";
      put(CORE + (name.endsWith(suffix) ? name + "data" : name), content);
    } else if (name.matches("META-INF/(LICENSE|NOTICE)[^/]*")) {
      put(CORE + "META-INF/licenses/" + origin + name.substring("META-INF".length()), content);
    }
  }

  private void put(String name, byte[] content) {
    byte[] before = entries.put(name, content);
    if (before != null && !Arrays.equals(before, content)) {
      throw new IllegalStateException(name + " is there twice, and differs");
    }
  }

  private static byte[] withNewline(byte[] content) {
    return (new String(content, StandardCharsets.UTF_8).strip() + "\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] joined(byte[] one, byte[] other) {
    byte[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }

  private void write(Path jar, String version) throws IOException {
    String boot = "dev.sennit.agent.boot.SennitAgent";
    List<String> manifest =
        List.of(
            "Manifest-Version: 1.0",
            "Premain-Class: " + boot,
            "Agent-Class: " + boot,
            "Main-Class: " + boot,
            "Can-Redefine-Classes: true",
            "Can-Retransform-Classes: true",
            "Implementation-Title: Sennit agent",
            "Implementation-Version: " + version,
            "",
            "");
    Files.createDirectories(jar.toAbsolutePath().getParent());
    // A JVM that runs with the jar before has it mapped: that one is replaced, never changed.
    Path incomplete = jar.resolveSibling(jar.getFileName() + ".part");
    try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(incomplete));
        ZipOutputStream zip = new ZipOutputStream(file)) {
      append(
          zip,
          "META-INF/MANIFEST.MF",
          String.join("\r\n", manifest).getBytes(StandardCharsets.UTF_8));
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        append(zip, entry.getKey(), entry.getValue());
      }
    }
    Files.move(
        incomplete, jar, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void append(ZipOutputStream zip, String name, byte[] content) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(TIME);
    zip.putNextEntry(entry);
    zip.write(content);
    zip.closeEntry();
  }
}
