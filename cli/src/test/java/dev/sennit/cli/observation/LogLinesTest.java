/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.cli.observation.FollowedRequests.Tally;
import dev.sennit.correlation.engine.CorrelationEngine;
import dev.sennit.correlation.engine.CorrelationSettings;
import dev.sennit.correlation.engine.CorrelationSettings.Ambiguous;
import dev.sennit.correlation.engine.Evidence;
import dev.sennit.correlation.engine.Evidence.Basis;
import dev.sennit.correlation.line.Write.Told;
import dev.sennit.correlation.record.LogRecord;
import dev.sennit.correlation.record.SpanContext;
import dev.sennit.kernel.TracerSettings;
import dev.sennit.kernel.ring.Outcome;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.span.SpanKind;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lines of real loggers in real programs, 50 requests at a time: each line says whose it is, and is
 * compared with what was found.
 */
@Requires(root = true)
final class LogLinesTest {
  private static final int LINES = 5 * FollowedRequests.COUNT;
  private static final int AT_A_TIME = 50;

  /** What a process is like shows in its first requests. */
  private static final int FIRST = 10;

  private static final Pattern LINE = Pattern.compile("request (\\d+) line \\d$");
  private static final Path SERVICES =
      Path.of("..", "testing-services", "target").toAbsolutePath().normalize();
  private static final List<String> ROWS = new ArrayList<>();

  @TempDir private static Path folder;

  @AfterAll
  static void print() {
    System.out.println("of " + LINES + " lines, 50 requests at a time, in percent:");
    System.out.println(
        "program                         right  none wrong    after 10 requests   by pid alone");
    ROWS.forEach(System.out::println);
  }

  @ParameterizedTest
  @ValueSource(strings = {"logback", "log4j"})
  void linesOfPlatformThreadsAreRight(String logger) throws Exception {
    Found found = observe(java(logger, "platform"), false);

    assertThat(found.all).isEqualTo(new Tally(LINES, 0, 0));
  }

  @Test
  @Requires(root = true, commands = "python3")
  void linesOfPythonsThreadsAreRight() throws Exception {
    assertThat(observe(List.of("python3", resource("log_lines.py")), false).all)
        .isEqualTo(new Tally(LINES, 0, 0));
  }

  @ParameterizedTest
  @CsvSource({
    "logback,platform",
    "log4j,platform",
    "logback,pool",
    "log4j,pool",
    "logback,virtual",
    "log4j,virtual"
  })
  void withTheRecordLinesAreRight(String logger, String way) throws Exception {
    assertThat(observe(java(logger, way), true).all).isEqualTo(new Tally(LINES, 0, 0));
  }

  @ParameterizedTest
  @CsvSource({"logback,pool", "log4j,virtual"})
  void withoutTheRecordTheyAreNotWrong(String logger, String way) throws Exception {
    assertThat(observe(java(logger, way), false).later.wrong()).isZero();
  }

  @Test
  @Requires(root = true, commands = "node")
  void linesOfAnEventLoopAreNotWrong() throws Exception {
    assertThat(observe(List.of("node", resource("log_lines.js")), false).later.wrong()).isZero();
  }

  @Test
  @Requires(root = true, commands = "go")
  void linesOfGoroutinesAreNotWrong() throws Exception {
    String program = folder.resolve("logging").toString();
    try (ChildProcess build =
        ChildProcess.start(List.of("go", "build", "-o", program, resource("log_lines.go")))) {
      assertThat(build.waitFor()).as(build.errors()).isZero();
    }
    assertThat(observe(List.of(program), false).later.wrong()).isZero();
  }

  /** Of all lines, and of those of requests that came after the first. */
  private record Found(Tally all, Tally later) {}

  private static Found observe(List<String> command, boolean agent) throws Exception {
    TracerSettings settings = new TracerSettings.Builder().logs(true).build();
    try (ObservedPrograms programs = ObservedPrograms.start(settings)) {
      List<String> whole = new ArrayList<>(command);
      if (agent) {
        Path inbound = programs.observation().inboundSocket().orElseThrow();
        whole.add(
            1,
            "-javaagent:%s=ctxstorage=otel,inbound=%s".formatted(FollowedRequests.AGENT, inbound));
      }
      FollowedRequests.send(programs.serve(whole), AT_A_TIME);
      List<Span> served =
          programs.await(FollowedRequests.COUNT, span -> span.kind() == SpanKind.SERVER);
      List<LogRecord> lines = programs.awaitRecords(LINES, record -> requestOf(record) != null);
      assertThat(lines).hasSize(LINES);
      assertThat(programs.observation().kernelCounters().get(Outcome.EVENTS_LOST)).isZero();
      Set<Integer> first =
          served.stream()
              .sorted(Comparator.comparingLong(Span::start))
              .limit(FIRST)
              .map(span -> (int) (span.ids().traceLow() - FollowedRequests.FIRST_TRACE))
              .collect(Collectors.toSet());
      Found found =
          new Found(
              tally(lines),
              tally(lines.stream().filter(line -> !first.contains(number(line))).toList()));
      String name =
          String.join(" ", command.subList(Math.max(0, command.size() - 2), command.size()));
      ROWS.add(
          String.format(
              "%-30s %s   %s   %s",
              (agent ? "agent, " : "") + name.replaceAll("[^ ]*/", ""),
              found.all,
              found.later,
              tally(byPidAlone(served, lines))));
      System.out.println(ROWS.getLast() + "  " + programs.observation().logCounters());
      return found;
    }
  }

  /** What the rule of the process alone would have said of the same lines. */
  private static List<LogRecord> byPidAlone(List<Span> served, List<LogRecord> lines) {
    List<LogRecord> found = new ArrayList<>();
    CorrelationEngine engine =
        new CorrelationEngine(
            CorrelationSettings.defaults().withAmbiguous(Ambiguous.LATEST), found::add);
    record Step(long time, Runnable action) {}
    List<Step> steps = new ArrayList<>();
    for (Span span : served) {
      SpanContext context =
          new SpanContext(span.ids().traceHigh(), span.ids().traceLow(), span.ids().spanId(), 1);
      steps.add(
          new Step(span.start(), () -> engine.registerSpanStart(1, 1, context, span.start())));
      steps.add(new Step(span.end(), () -> engine.registerSpanEnd(1, 1, context, span.end())));
    }
    for (LogRecord line : lines) {
      LogRecord bare =
          new LogRecord(
              line.time(),
              line.observed(),
              line.severity(),
              null,
              line.body(),
              Map.of(),
              line.resource(),
              null,
              null);
      Evidence evidence =
          new Evidence(1, 1, line.observed(), Told.NOTHING, null, false, Basis.SEEN);
      steps.add(new Step(line.observed(), () -> engine.enrichLog(bare, evidence)));
    }
    steps.stream().sorted(Comparator.comparingLong(Step::time)).forEach(step -> step.action.run());
    engine.flush();
    return found;
  }

  private static Tally tally(List<LogRecord> lines) {
    return Tally.of(
        lines.stream()
            .collect(
                Collectors.groupingBy(
                    LogLinesTest::number,
                    Collectors.mapping(
                        line -> line.span() == null ? 0 : line.span().traceLow(),
                        Collectors.toList()))));
  }

  private static int number(LogRecord line) {
    Integer request = requestOf(line);
    return request == null ? 0 : request;
  }

  private static @Nullable Integer requestOf(LogRecord record) {
    Matcher matcher = LINE.matcher(new String(record.body(), StandardCharsets.UTF_8));
    return matcher.find() ? Integer.valueOf(matcher.group(1)) : null;
  }

  private static List<String> java(String logger, String way) throws IOException {
    String prefix = logger.equals("log4j") ? "slf4j-api" : "";
    try (Stream<Path> jars = Files.list(SERVICES.resolve("lib"));
        Stream<Path> log4j = Files.list(SERVICES.resolve("log4j"))) {
      String classPath =
          Stream.of(
                  Stream.of(SERVICES.resolve("classes")),
                  jars.filter(jar -> jar.getFileName().toString().startsWith(prefix)),
                  logger.equals("log4j") ? log4j : Stream.<Path>of())
              .flatMap(each -> each)
              .map(Path::toString)
              .collect(Collectors.joining(File.pathSeparator));
      return List.of(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "-Dlog4j2.level=INFO",
          "--enable-native-access=ALL-UNNAMED",
          "-cp",
          classPath,
          "dev.sennit.services.LoggingService",
          way,
          logger);
    }
  }

  private static String resource(String name) throws IOException {
    return TestResources.extract(name, folder);
  }
}
