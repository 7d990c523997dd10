/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.util.List;

/** The object file with the programs, and the settings that they are loaded with. */
final class ProgramFile {
  /** The offsets of {@code settings} in maps.h. */
  private static final int CAPTURE = 0;

  private static final int SCAN = 4;
  private static final int CONTEXT_LIFETIME = 8;
  private static final int SAMPLE_BELOW = 16;
  private static final int FIRST_KEY = 24;
  private static final int SECOND_KEY = 32;
  private static final int TRACER = 40;
  private static final int INJECT = 44;
  private static final int START_TRACES = 45;
  private static final int LOGS = 46;
  private static final int HTTP2 = 47;
  private static final int BAGGAGE = 48;
  private static final int PROCESSES = 49;
  private static final int LINE_CAPTURE = 52;

  private ProgramFile() {}

  /** The file for this architecture. */
  static byte[] read() throws IOException {
    String architecture = System.getProperty("os.arch").equals("aarch64") ? "aarch64" : "x86_64";
    String name = "bpf/sennit-" + architecture + ".bpf.o";
    try (InputStream in = ProgramFile.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("this jar was built without " + name);
      }
      return in.readAllBytes();
    }
  }

  static void write(TracerSettings settings, List<Target> targets, MemorySegment memory) {
    SecureRandom random = new SecureRandom();
    memory.set(JAVA_INT, CAPTURE, settings.capture());
    memory.set(JAVA_INT, SCAN, settings.scan());
    memory.set(JAVA_LONG, CONTEXT_LIFETIME, settings.contextLifetime().toNanos());
    memory.set(JAVA_LONG, SAMPLE_BELOW, sampleBelow(settings.sampleRatio()));
    memory.set(JAVA_LONG, FIRST_KEY, random.nextLong());
    memory.set(JAVA_LONG, SECOND_KEY, random.nextLong());
    memory.set(JAVA_INT, TRACER, (int) ProcessHandle.current().pid());
    memory.set(JAVA_BYTE, INJECT, flag(settings.inject()));
    memory.set(JAVA_BYTE, START_TRACES, flag(settings.startTraces()));
    memory.set(JAVA_BYTE, LOGS, flag(settings.logs()));
    memory.set(JAVA_BYTE, HTTP2, flag(settings.http2()));
    memory.set(JAVA_BYTE, BAGGAGE, flag(settings.baggage()));
    boolean processes = targets.stream().anyMatch(Target.OfProcess.class::isInstance);
    memory.set(JAVA_BYTE, PROCESSES, flag(processes));
    memory.set(JAVA_INT, LINE_CAPTURE, settings.lineCapture());
  }

  private static byte flag(boolean on) {
    return (byte) (on ? 1 : 0);
  }

  /** The unsigned number that so large a share of all random numbers does not exceed. */
  private static long sampleBelow(double ratio) {
    return ratio >= 1 ? -1 : (long) (ratio * (1L << 53)) << 11;
  }
}
