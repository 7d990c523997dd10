/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.testing;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A real process that a test talks to by lines: it waits for what the child prints, sends it words,
 * and ends it whatever happens. Standard error goes to a file, so that a test that has read an
 * answer also sees every error that was printed before it; the reader of a pipe could be behind.
 */
public final class ChildProcess implements AutoCloseable {
  /** Long enough for a loaded machine; a test that waits this long fails anyway. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String name;
  private final Process process;
  private final BufferedWriter input;

  private final LinkedBlockingQueue<Output> lines = new LinkedBlockingQueue<>();
  private final ErrorFile errors;

  /** A line of the child, or its end. */
  private record Output(@Nullable String line) {}

  private ChildProcess(String name, Process process, ErrorFile errors) {
    this.name = name;
    this.process = process;
    this.errors = errors;
    this.input = process.outputWriter(StandardCharsets.UTF_8);
    Thread.ofPlatform()
        .daemon()
        .name(name + " out")
        .start(
            () -> {
              forEachLine(
                  process.inputReader(StandardCharsets.UTF_8), line -> lines.add(new Output(line)));
              lines.add(new Output(null));
            });
  }

  /** Starts a program. */
  public static ChildProcess start(List<String> command) {
    return start(new ProcessBuilder(command));
  }

  /** Starts a program whose environment or folder the caller has set. */
  public static ChildProcess start(ProcessBuilder builder) {
    String name = Path.of(builder.command().getFirst()).getFileName().toString();
    ErrorFile errors = new ErrorFile(name);
    try {
      return new ChildProcess(name, errors.start(builder), errors);
    } catch (IOException e) {
      errors.close();
      throw new UncheckedIOException(e);
    }
  }

  /** Starts the {@code main} of a class in a JVM like this one, on this class path. */
  public static ChildProcess java(Class<?> main, String... arguments) {
    return start(javaCommand(List.of(), main, arguments));
  }

  /** The command of {@link #java}, with further options for the JVM. */
  public static List<String> javaCommand(
      List<String> jvmOptions, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-XX:+UseSerialGC");
    command.addAll(jvmOptions);
    command.add("-cp");
    command.add(classPath());
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return command;
  }

  /** The class path of this JVM, whatever way the test runner was given it. */
  public static String classPath() {
    @Nullable String surefire = System.getProperty("surefire.test.class.path");
    return surefire != null ? surefire : System.getProperty("java.class.path", File.pathSeparator);
  }

  public int pid() {
    return Math.toIntExact(process.pid());
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** The next line that the child prints. */
  public String readLine() {
    @Nullable String line = next().line;
    if (line == null) {
      throw new AssertionError(name + " ended with status " + waitFor() + errorText());
    }
    return line;
  }

  /** Reads lines until one starts with {@code prefix}; returns what follows it. */
  public String expect(String prefix) {
    while (true) {
      String line = readLine();
      if (line.startsWith(prefix)) {
        return line.substring(prefix.length());
      }
    }
  }

  /** Everything that the child prints until it ends. */
  public List<String> readAll() {
    List<String> all = new ArrayList<>();
    for (@Nullable String line = next().line; line != null; line = next().line) {
      all.add(line);
    }
    return all;
  }

  private Output next() {
    try {
      @Nullable Output output = lines.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      if (output == null) {
        throw new AssertionError(name + " printed nothing for " + PATIENCE + errorText());
      }
      return output;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for " + name, e);
    }
  }

  /** Sends a line to the child's standard input. */
  public void send(String line) {
    try {
      input.write(line);
      input.newLine();
      input.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(name + " takes no input" + errorText(), e);
    }
  }

  /** Closes the child's standard input. */
  public void endInput() {
    try {
      input.close();
    } catch (IOException e) {
      throw new UncheckedIOException(name + " takes no input" + errorText(), e);
    }
  }

  /** Waits for the end; returns the exit status. */
  public int waitFor() {
    try {
      if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError(name + " did not end within " + PATIENCE + errorText());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for " + name, e);
    }
  }

  /** What the child has printed on standard error so far, also after the end. */
  public String errors() {
    return errors.text();
  }

  private String errorText() {
    String text = errors();
    return text.isEmpty() ? "" : "; its standard error:\n" + text;
  }

  private static void forEachLine(BufferedReader reader, Consumer<String> consumer) {
    try (reader) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        consumer.accept(line);
      }
    } catch (IOException e) {
      consumer.accept("(" + e.getMessage() + ")");
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    errors.close();
  }
}
