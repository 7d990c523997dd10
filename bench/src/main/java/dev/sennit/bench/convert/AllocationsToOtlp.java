/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.convert;

import dev.sennit.profiles.ConversionOptions;
import dev.sennit.profiles.JfrToOtlpConverter;
import dev.sennit.profiles.Kind;
import dev.sennit.profiles.ProfileType;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;

/**
 * Converts the allocation samples of a recording, and nothing else: the child of the comparison.
 */
final class AllocationsToOtlp {
  private AllocationsToOtlp() {}

  public static void main(String[] args) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(Path.of(args[1])))) {
      new JfrToOtlpConverter(ConversionOptions.defaults().withTypes(EnumSet.of(ProfileType.ALLOC)))
          .addFile(Path.of(args[0]))
          .convert(Kind.PROTO, out);
    }
  }
}
