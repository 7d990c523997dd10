/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.convert;

import dev.sennit.profiles.OtlpProfileValidator;
import dev.sennit.profiles.ValidationResult;
import dev.sennit.profiles.jfr.ChunkReader;
import dev.sennit.profiles.jfr.EventLayout;
import dev.sennit.profiles.jfr.JfrChunk;
import dev.sennit.profiles.jfr.JfrFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sennit's converter and async-profiler's on the same recording, in turn: wall time, memory, size
 * of the output, and their ratios. Status 1 if a goal is missed or an output is not valid.
 */
final class ConverterComparison {
  private static final int MEGABYTES = 255;
  private static final double GOAL = 1.0 / 3;
  private static final int ATTEMPTS = 5;

  private final Path folder;
  private final Path recording;
  private final List<String> ourOptions;
  private final List<String> theirOptions;
  private final List<Run> ours = new ArrayList<>();
  private final List<Run> theirs = new ArrayList<>();

  private ConverterComparison(
      Path folder, Path recording, List<String> ourOptions, List<String> theirOptions) {
    this.folder = folder;
    this.recording = recording;
    this.ourOptions = ourOptions;
    this.theirOptions = theirOptions;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    Options options = Options.parse(args);
    Path folder = Path.of(System.getProperty("sennit.bench.target"), "convert");
    Files.createDirectories(folder);
    Path recording = recording(folder);
    List<String> flags = options.jvmOptions();
    System.out.printf(
        "a recording of %.1f MB; %d runs of each, fresh JVMs %s, in turn%n%n",
        Files.size(recording) / 1e6,
        options.runs(),
        flags.isEmpty() ? "without flags" : "with " + String.join(" ", flags));
    ConverterComparison plain = new ConverterComparison(folder, recording, flags, flags);
    boolean met = plain.compare(options.runs());
    if (options.aot()) {
      System.out.printf("%nwith caches that each JVM made of this conversion%n%n");
      met &= plain.trained().compare(options.runs());
    }
    System.exit(met ? 0 : 1);
  }

  private boolean compare(int runs) throws IOException, InterruptedException {
    for (int i = 0; i < runs; i++) {
      theirs.add(Run.of(theirCommand(theirOptions), theirOutput()));
      ours.add(Run.of(ourCommand(ourOptions), ourOutput()));
    }
    return print();
  }

  /** The same with a cache for each, in which its JVM has kept what it learned of a conversion. */
  private ConverterComparison trained() throws IOException, InterruptedException {
    Path ourCache = folder.resolve("sennit.aot");
    Path theirCache = folder.resolve("jfr-converter.aot");
    Run.of(ourCommand(with(ourOptions, "-XX:AOTCacheOutput=" + ourCache)), ourOutput());
    Run.of(theirCommand(with(theirOptions, "-XX:AOTCacheOutput=" + theirCache)), theirOutput());
    // A cache that cannot be used would pass unnoticed.
    return new ConverterComparison(
        folder,
        recording,
        with(with(ourOptions, "-XX:AOTMode=on"), "-XX:AOTCache=" + ourCache),
        with(with(theirOptions, "-XX:AOTMode=on"), "-XX:AOTCache=" + theirCache));
  }

  private static List<String> with(List<String> options, String another) {
    return Stream.concat(options.stream(), Stream.of(another)).toList();
  }

  /** Made once, and again if an event has no stack, for the peer would fail. */
  private static Path recording(Path folder) throws IOException, InterruptedException {
    Path recording = folder.resolve("allocations.jfr");
    for (int i = 0; i < ATTEMPTS; i++) {
      if (Files.exists(recording) && lacksNoStack(recording)) {
        return recording;
      }
      System.err.println("making a recording, which takes a minute");
      Path unfinished = folder.resolve("unfinished.jfr");
      Files.deleteIfExists(unfinished);
      List<String> command =
          List.of(
              java(),
              "-Xint",
              "-Xlog:disable",
              "-XX:TLABSize=8k",
              "-XX:-ResizeTLAB",
              "-Xmx1g",
              "-XX:FlightRecorderOptions:stackdepth=64",
              "-cp",
              System.getProperty("java.class.path"),
              DeepAllocations.class.getName(),
              unfinished.toString(),
              Integer.toString(MEGABYTES));
      Process process = new ProcessBuilder(command).inheritIO().start();
      if (process.waitFor() != 0) {
        throw new IllegalStateException("no recording was made");
      }
      Files.move(unfinished, recording);
    }
    throw new IllegalStateException("in each of " + ATTEMPTS + " recordings an event had no stack");
  }

  private static boolean lacksNoStack(Path recording) throws IOException {
    try (JfrFile file = JfrFile.open(recording)) {
      for (JfrChunk chunk : file.chunks()) {
        try (ChunkReader reader = chunk.open()) {
          long[] lacking = {0};
          @Nullable EventLayout layout =
              reader.subscribe("jdk.ObjectAllocationSample", "stackTrace");
          if (layout != null) {
            reader.forEachEvent(
                event -> lacking[0] += reader.stackTraces().slot(event.longValue(0)) < 0 ? 1 : 0);
          }
          if (lacking[0] > 0) {
            return false;
          }
        }
      }
    }
    return true;
  }

  private Path ourOutput() {
    return folder.resolve("sennit.otlp");
  }

  private Path theirOutput() {
    return folder.resolve("jfr-converter.otlp");
  }

  private List<String> ourCommand(List<String> options) {
    return command(
        options,
        "-cp",
        classPath(),
        AllocationsToOtlp.class.getName(),
        recording.toString(),
        ourOutput().toString());
  }

  private List<String> theirCommand(List<String> options) {
    return command(
        options,
        "-jar",
        Path.of(System.getProperty("sennit.bench.peers"), "jfr-converter.jar").toString(),
        "-o",
        "otlp",
        "--alloc",
        "--total",
        recording.toString(),
        theirOutput().toString());
  }

  private static List<String> command(List<String> options, String... rest) {
    List<String> command = new ArrayList<>(List.of(java()));
    command.addAll(options);
    command.addAll(List.of(rest));
    return command;
  }

  /** Only what the converter needs: a long class path would be measured too. */
  private static String classPath() {
    return String.join(
        ":",
        Arrays.stream(System.getProperty("java.class.path").split(":"))
            .filter(jar -> jar.matches(".*/sennit-(profiles|otlp|bench)-[^/]*\\.jar"))
            .toList());
  }

  private boolean print() throws IOException {
    System.out.println("| | jfr-converter 4.5 | Sennit | ratio | goal | met |");
    System.out.println("|---|---|---|---|---|---|");
    boolean met = row("wall s", Run::seconds, GOAL);
    met &= row("VmHWM MiB", Run::peakResident, GOAL);
    met &= row("RssAnon MiB", Run::peakAnonymous, GOAL);
    met &= row("output MB", run -> run.outputBytes() / 1e6, 1);
    ValidationResult result = OtlpProfileValidator.validate(Files.readAllBytes(ourOutput()));
    System.out.printf("%nSennit's output is %s%n", result.isValid() ? "valid" : result.errors());
    return met && result.isValid();
  }

  private boolean row(String what, ToDoubleFunction<Run> value, double goal) {
    double ratio = median(ours, value) / median(theirs, value);
    boolean met = ratio <= goal;
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %s | %.3f | <= %.3f | %s |%n",
        what,
        summary(theirs, value),
        summary(ours, value),
        ratio,
        goal,
        met ? "yes" : "no");
    return met;
  }

  private static String summary(List<Run> runs, ToDoubleFunction<Run> value) {
    return String.format(
        Locale.ROOT,
        "%.2f (%.2f..%.2f)",
        median(runs, value),
        runs.stream().mapToDouble(value).min().orElseThrow(),
        runs.stream().mapToDouble(value).max().orElseThrow());
  }

  private static double median(List<Run> runs, ToDoubleFunction<Run> value) {
    double[] sorted = runs.stream().mapToDouble(value).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }
}
