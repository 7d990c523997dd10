/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Where queues lie: a folder for each destination, so that nobody sends what others left to a
 * collector, or under a name, for which it was not meant.
 */
final class QueueFolders {
  private static final Duration FORGOTTEN = Duration.ofDays(7);

  private QueueFolders() {}

  /** Where queues are kept unless told otherwise: a place that outlives a restart of the host. */
  static Path standard() {
    String name =
        "sennit-queue-"
            + System.getProperty("user.name", "user").replaceAll("[^A-Za-z0-9._-]", "_");
    Path persistent = Path.of("/var/tmp");
    return (Files.isWritable(persistent)
            ? persistent
            : Path.of(System.getProperty("java.io.tmpdir", "/tmp")))
        .resolve(name);
  }

  /** The folder of a destination, which is an address and the headers sent to it. */
  static Path of(Path root, ExportSettings settings) {
    StringBuilder destination = new StringBuilder(settings.endpoint().toString());
    new TreeMap<>(settings.headers())
        .forEach((name, value) -> destination.append('\n').append(name).append('=').append(value));
    byte[] digest;
    try {
      digest =
          MessageDigest.getInstance("SHA-256")
              .digest(destination.toString().getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
    String name = HexFormat.of().formatHex(digest, 0, 8);
    return root.resolve(settings.signal().settingName() + "-" + name);
  }

  /**
   * Makes the folder, and deletes what is forgotten there. A folder that was named may be for all
   * to write to, as volumes often are; then nothing but our own folders in it is touched.
   *
   * @throws IOException if it was not named and others can write to it
   */
  static void prepare(Path root, boolean named) throws IOException {
    InstanceFolder.createFolder(root);
    Path probe = InstanceFolder.createFile(root.resolve("probe-" + UUID.randomUUID()));
    boolean isPrivate;
    try {
      isPrivate = InstanceFolder.isPrivate(root, probe);
    } finally {
      Files.deleteIfExists(probe);
    }
    if (isPrivate) {
      removeForgotten(root);
    } else if (!named) {
      throw new IOException(root + " belongs to another user or others may write to it");
    }
  }

  /** Deletes what dead processes left for any destination when a week has passed. */
  static void removeForgotten(Path root) throws IOException {
    Instant limit = Instant.now().minus(FORGOTTEN);
    try (DirectoryStream<Path> destinations = Files.newDirectoryStream(root, "*-*")) {
      for (Path destination : destinations) {
        if (!Files.isDirectory(destination, LinkOption.NOFOLLOW_LINKS)) {
          continue;
        }
        InstanceFolder.visitAbandoned(
            destination,
            message -> {
              if (Files.getLastModifiedTime(message).toInstant().isBefore(limit)) {
                Files.deleteIfExists(message);
              }
            });
      }
    }
  }
}
