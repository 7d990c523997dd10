/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

import dev.sennit.agent.boot.AgentJvm;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.reader.ProcessContextReader;
import dev.sennit.context.reader.ProcessReading;
import dev.sennit.testing.ChildProcess;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** JVMs whose applications have nothing of Sennit but the jars that are shipped. */
final class ExtendedJvm {
  static final Path EXTENSION = Path.of("target", "sennit-extension.jar").toAbsolutePath();
  static final Path OPENTELEMETRY_AGENT =
      Path.of("target", "opentelemetry-javaagent.jar").toAbsolutePath();

  private static final Predicate<Path> TEST_CLASSES = place -> place.endsWith("test-classes");
  private static final Predicate<Path> API =
      place -> place.getFileName().toString().matches("opentelemetry-(api|context|common)-.*");
  private static final Predicate<Path> SDK =
      API.or(
          place ->
              place
                  .getFileName()
                  .toString()
                  .matches("(opentelemetry-(sdk|exporter)|okhttp|okio|kotlin-stdlib)-.*"));

  /** An SDK that sends nothing. */
  static final List<String> SENDING_NOTHING =
      List.of(
          "-Dotel.traces.exporter=none",
          "-Dotel.metrics.exporter=none",
          "-Dotel.logs.exporter=none");

  private ExtendedJvm() {}

  /** With OpenTelemetry's SDK and the extension as ordinary dependencies. */
  static ChildProcess withSdk(List<String> options, Class<?> main, String... arguments) {
    return start(
        options, classPath(TEST_CLASSES.or(SDK)) + File.pathSeparator + EXTENSION, main, arguments);
  }

  /** With OpenTelemetry's API alone, for whose Java agent the extension is. */
  static ChildProcess withApi(List<String> options, Class<?> main, String... arguments) {
    return start(options, classPath(TEST_CLASSES.or(API)), main, arguments);
  }

  /** What a JVM says of itself to readers outside. */
  static ProcessContext contextOf(ChildProcess jvm) {
    return ((ProcessReading.Published) new ProcessContextReader().read(jvm.pid())).context();
  }

  private static ChildProcess start(
      List<String> options, String classPath, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>(options);
    command.addAll(List.of("-cp", classPath, main.getName()));
    command.addAll(List.of(arguments));
    return AgentJvm.start(command);
  }

  private static String classPath(Predicate<Path> wanted) {
    return Arrays.stream(ChildProcess.classPath().split(File.pathSeparator))
        .map(Path::of)
        .filter(wanted)
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }
}
