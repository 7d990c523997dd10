/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Files beside the tests, for programs that must have them as files. */
final class TestResources {
  private TestResources() {}

  static String extract(String name, Path folder) throws IOException {
    Path file = folder.resolve(name);
    try (InputStream in =
        Objects.requireNonNull(TestResources.class.getResourceAsStream(name), name)) {
      Files.write(file, in.readAllBytes());
    }
    return file.toString();
  }
}
