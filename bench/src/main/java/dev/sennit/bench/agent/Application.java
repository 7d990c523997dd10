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
  /** How long a JVM serves requests: in processor time to warm up, by the clock while measured. */
  record Pace(int warmupSeconds, int seconds) {}

  /** All must have read by then when to begin. */
  private static final long NOTICE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

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

  /** Measures all in the same span of time, once all are warm, and waits until they end. */
  static List<Served> measure(Pace pace, List<Application> applications) {
    applications.forEach(application -> application.expect(SpanWork.READY));
    long begin = System.nanoTime() + NOTICE_NANOS;
    long end = begin + TimeUnit.SECONDS.toNanos(pace.seconds);
    applications.forEach(application -> application.process.send(begin + " " + end));
    List<Served> served =
        applications.stream()
            .map(application -> Served.parse(application.expect(SpanWork.SERVED)))
            .toList();
    applications.forEach(application -> application.process.waitFor());
    return served;
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
