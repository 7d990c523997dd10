/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.tail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a file is, whatever its name: its device and its number on it. */
record FileId(long device, long inode) {
  /**
   * What is known of the file under a name.
   *
   * @param modified in nanoseconds since 1970
   * @param created likewise
   */
  record Status(FileId id, long size, long modified, long created) {}

  /** The file under this name, links followed; null if there is none, or it is no plain file. */
  static @Nullable Status status(Path path) {
    try {
      Map<String, Object> all =
          Files.readAttributes(
              path, "unix:dev,ino,size,lastModifiedTime,creationTime,isRegularFile");
      if (!Boolean.TRUE.equals(all.get("isRegularFile"))) {
        return null;
      }
      return new Status(
          new FileId(number(all, "dev"), number(all, "ino")),
          number(all, "size"),
          nanos(all, "lastModifiedTime"),
          nanos(all, "creationTime"));
    } catch (IOException e) {
      return null;
    }
  }

  private static long nanos(Map<String, Object> all, String name) {
    return ((FileTime) value(all, name)).to(TimeUnit.NANOSECONDS);
  }

  private static long number(Map<String, Object> all, String name) {
    return ((Number) value(all, name)).longValue();
  }

  private static Object value(Map<String, Object> all, String name) {
    Object value = all.get(name);
    if (value == null) {
      throw new IllegalStateException("the file system does not say " + name);
    }
    return value;
  }
}
