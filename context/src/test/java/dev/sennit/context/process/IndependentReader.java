/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads the record of another process with nothing of Sennit: two files of {@code /proc}, the
 * numbers of the specification, and OpenTelemetry's own classes.
 */
final class IndependentReader {
  private IndependentReader() {}

  /** The one record of a process. */
  record Found(
      String mapping, String signature, int version, long publishedAtNs, ProcessContext context) {}

  /** The lines of {@code /proc/PID/maps} that name a record. */
  static List<String> mappings(int pid) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + pid + "/maps"), StandardCharsets.ISO_8859_1)
        .stream()
        .filter(line -> line.contains("OTEL_CTX"))
        .toList();
  }

  /** Reads the record; fails unless the process has exactly one mapping for it. */
  static Found read(int pid) throws IOException {
    List<String> mappings = mappings(pid);
    if (mappings.size() != 1) {
      throw new AssertionError("one mapping named OTEL_CTX expected in " + mappings);
    }
    String mapping = mappings.getFirst();
    long start = Long.parseLong(mapping.substring(0, mapping.indexOf('-')), 16);
    try (RandomAccessFile memory = new RandomAccessFile("/proc/" + pid + "/mem", "r")) {
      byte[] header = bytes(memory, start, 32);
      ByteBuffer fields = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
      byte[] payload = bytes(memory, fields.getLong(24), fields.getInt(12));
      return new Found(
          mapping,
          new String(header, 0, 8, StandardCharsets.US_ASCII),
          fields.getInt(8),
          fields.getLong(16),
          OfficialContexts.fromOfficial(
              io.opentelemetry.proto.processcontext.v1development.ProcessContext.parseFrom(
                  payload)));
    }
  }

  private static byte[] bytes(RandomAccessFile memory, long address, int length)
      throws IOException {
    byte[] bytes = new byte[length];
    memory.seek(address);
    memory.readFully(bytes);
    return bytes;
  }
}
