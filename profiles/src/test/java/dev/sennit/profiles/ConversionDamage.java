/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.profiles.jfr.Damage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Damages a recording in many ways and converts each, in a JVM with little memory. */
final class ConversionDamage {
  private ConversionDamage() {}

  /** Arguments: the recording, the seed, how many mutations. */
  public static void main(String[] args) throws IOException {
    byte[] intact = Files.readAllBytes(Path.of(args[0]));
    Path file = Files.createTempFile("damaged", ".jfr");
    Random random = new Random(Long.parseLong(args[1]));
    int converted = 0;
    int refused = 0;
    try {
      for (int i = 0; i < Integer.parseInt(args[2]); i++) {
        Files.write(file, Damage.mutate(intact, random));
        try {
          new JfrToOtlpConverter(ConversionOptions.defaults().withAggregate(i % 4 == 0))
              .addFile(file)
              .convert(i % 2 == 0 ? Kind.PROTO : Kind.JSON, OutputStream.nullOutputStream());
          converted++;
        } catch (IOException e) {
          refused++;
        } catch (RuntimeException | Error e) {
          throw new IllegalStateException("mutation " + i, e);
        }
      }
    } finally {
      Files.delete(file);
    }
    System.out.println("converted " + converted + " refused " + refused);
  }
}
