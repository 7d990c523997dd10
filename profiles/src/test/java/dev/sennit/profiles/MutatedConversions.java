/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.profiles.format.CollapsedWriter;
import dev.sennit.profiles.format.FlamegraphWriter;
import dev.sennit.profiles.format.PprofWriter;
import dev.sennit.profiles.jfr.JfrFormatException;
import dev.sennit.profiles.jfr.Mutations;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Converts mutated recordings one after the other; meant for a JVM with little memory. For each it
 * prints a line: its number and {@link #CONVERTED}, {@link #REFUSED} with the kind of error, {@link
 * #FAILED} or {@link #HUNG}. After the last two follow the details, indented, and the mutated
 * recording stays in the folder.
 */
public final class MutatedConversions {
  public static final String CONVERTED = "converted";
  public static final String REFUSED = "refused";
  public static final String FAILED = "FAILED";
  public static final String HUNG = "HUNG";

  /** The status of a JVM whose conversion did not end. */
  public static final int HUNG_STATUS = 3;

  /** A conversion takes milliseconds; so long it takes only on a machine that is very busy. */
  private static final long PATIENCE_MILLIS = 30_000;

  private final Path folder;
  private long number;
  private long since;

  private MutatedConversions(Path folder) {
    this.folder = folder;
  }

  /**
   * Arguments: a folder to write to, the first number, how many, and the recordings, which take
   * turns.
   */
  public static void main(String[] args) throws IOException {
    long start = Long.parseLong(args[1]);
    int count = Integer.parseInt(args[2]);
    byte[][] recordings = new byte[args.length - 3][];
    for (int i = 0; i < recordings.length; i++) {
      recordings[i] = Files.readAllBytes(Path.of(args[i + 3]));
    }
    MutatedConversions conversions = new MutatedConversions(Path.of(args[0]));
    Thread.ofPlatform().daemon().name("watchdog").start(conversions::watch);
    for (long n = start; n < start + count; n++) {
      conversions.run(recordings[(int) (n % recordings.length)], n);
    }
  }

  private void run(byte[] intact, long n) throws IOException {
    begin(n);
    Path file = folder.resolve("mutation-" + n + ".jfr");
    Files.write(file, Mutations.of(intact, n));
    String outcome;
    try {
      convert(file, n);
      outcome = CONVERTED;
    } catch (JfrFormatException e) {
      outcome = REFUSED + " " + kind(e);
    } catch (Exception | Error e) {
      // Whatever it is, it is not the answer that a user should get.
      StringWriter trace = new StringWriter();
      e.printStackTrace(new PrintWriter(trace));
      outcome = FAILED + "\n" + trace.toString().indent(2).stripTrailing();
    }
    end(outcome);
    if (!outcome.startsWith(FAILED)) {
      Files.delete(file);
    }
  }

  private static void convert(Path file, long n) throws IOException {
    ConversionOptions options =
        ConversionOptions.defaults()
            .withAggregate(n % 4 == 0)
            .withDescriptors(n % 3 == 0)
            .withOriginalPayload(n % 32 == 5);
    ProfileExport export = new JfrToOtlpConverter(options).addFile(file).read();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    OtlpProfileWriter.write(export, Kind.PROTO, bytes);
    ValidationResult result = OtlpProfileValidator.validate(bytes.toByteArray());
    if (!result.findings().isEmpty()) {
      throw new IllegalStateException("the output is not valid: " + result.findings());
    }
    if (n % 8 == 1) {
      OtlpProfileWriter.write(export, Kind.JSON, OutputStream.nullOutputStream());
      PprofWriter.write(export, OutputStream.nullOutputStream());
      FlamegraphWriter.write(export, OutputStream.nullOutputStream());
      for (Profile profile : export.profiles()) {
        CollapsedWriter.write(export, profile, OutputStream.nullOutputStream());
      }
    }
  }

  /** What was wrong, without what differs from file to file. */
  private static String kind(JfrFormatException e) {
    return e.reason()
        .replaceAll("\\p{Cntrl}", "?")
        .replaceAll("starts with [0-9a-f ]+.*", "starts with …")
        .replaceAll("\".*\"", "…")
        .replaceAll("(type|field) [^ ]+ (has|is)", "$1 … $2")
        .replaceAll("-?\\b[0-9][0-9,.a-fx]*\\b", "N");
  }

  private synchronized void begin(long n) {
    number = n;
    since = System.nanoTime();
    notifyAll();
  }

  private synchronized void end(String outcome) {
    System.out.println(number + " " + outcome);
    since = 0;
  }

  /**
   * Reports the conversion that does not end, with what every thread is doing, and ends the JVM.
   */
  private synchronized void watch() {
    try {
      while (true) {
        long left = PATIENCE_MILLIS - (System.nanoTime() - since) / 1_000_000;
        if (since == 0) {
          wait();
        } else if (left > 0) {
          wait(left);
        } else {
          System.out.println(number + " " + HUNG + "\n" + stacks().indent(2).stripTrailing());
          System.out.flush();
          Runtime.getRuntime().halt(HUNG_STATUS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String stacks() {
    StringBuilder all = new StringBuilder();
    for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
      all.append(entry.getKey().getName()).append('\n');
      for (StackTraceElement frame : entry.getValue()) {
        all.append("  at ").append(frame).append('\n');
      }
    }
    return all.toString();
  }
}
