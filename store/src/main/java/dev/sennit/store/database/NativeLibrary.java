/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The driver unpacks its library of some 70 MB into the folder for temporary files, and a process
 * that is killed would leave it there. Once it is loaded nobody needs its name any more.
 */
final class NativeLibrary {
  private static final String NAME = "libduckdb_java";

  private NativeLibrary() {}

  static void removeUnpacked() {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir", "/tmp")).toAbsolutePath();
    try {
      for (String mapping : Files.readAllLines(Path.of("/proc/self/maps"))) {
        List<String> fields = List.of(mapping.split(" +", 6));
        if (fields.size() == 6 && fields.get(5).contains("/" + NAME)) {
          removeIfBelow(temporary, Path.of(fields.get(5)));
        }
      }
    } catch (IOException e) {
      // The driver removes it when this process ends in order.
    }
  }

  private static void removeIfBelow(Path temporary, Path library) throws IOException {
    if (temporary.equals(library.getParent())) {
      Files.deleteIfExists(library);
    }
  }
}
