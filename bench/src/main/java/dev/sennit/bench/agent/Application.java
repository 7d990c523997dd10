/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.agent;

import dev.sennit.testing.ChildProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** {@link SpanWork} in a JVM of its own. */
final class Application implements AutoCloseable {
  /**
   * How long a JVM serves requests.
   *
   * @param warmupSeconds of processor time
   * @param couples of rounds, in which it is measured
   * @param slices of which a round is made
   * @param sliceMillis by the clock
   */
  record Pace(int warmupSeconds, int couples, int slices, int sliceMillis) {
    /** Of one that has all couples. */
    long measuredMillis() {
      return 2L * couples * slices * sliceMillis;
    }
  }

  /** All must have read by then when to begin. */
  private static final long NOTICE_NANOS = TimeUnit.MILLISECONDS.toNanos(30);

  private final Subject subject;
  private final ChildProcess process;

  private Application(Subject subject, ChildProcess process) {
    this.subject = subject;
    this.process = process;
  }

  /** Starts it; bound to a core beforehand, so that its JVM sees one processor from the start. */
  static Application start(Subject subject, Path target, Pace pace, OptionalInt core) {
    List<String> command = new ArrayList<>();
    core.ifPresent(number -> command.addAll(Cores.bindingTo(number)));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xms512m", "-Xmx512m"));
    command.addAll(subject.options(target));
    command.add(SpanWork.class.getName());
    command.add(Integer.toString(pace.warmupSeconds));
    return new Application(subject, ChildProcess.start(command));
  }

  void awaitWarm() {
    expect(SpanWork.READY);
  }

  /** Binds it, with all of its threads, to another core. */
  void moveTo(int core) {
    Cores.move(process.pid(), core);
  }

  /** Measures all in the same span of time. */
  static List<Served> measure(long millis, List<Application> applications) {
    long begin = System.nanoTime() + NOTICE_NANOS;
    long end = begin + TimeUnit.MILLISECONDS.toNanos(millis);
    applications.forEach(application -> application.process.send(begin + " " + end));
    return applications.stream()
        .map(application -> Served.parse(application.expect(SpanWork.SERVED)))
        .toList();
  }

  /** Has it end by itself, with all that its agent does then. */
  void end() {
    process.endInput();
    process.waitFor();
  }

  private String expect(String prefix) {
    try {
      return process.expect(prefix);
    } catch (AssertionError e) {
      throw new IllegalStateException("the application with " + subject.title + " fails", e);
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
