/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.logging.LogManager;

/**
 * An application that exports a message and says what that did to it: whether logging was set up
 * behind its back, and which threads there are. It is told where to send by system properties.
 */
final class SilentProgram {
  private static final String INSTANTIATED = "test.log.manager";

  private SilentProgram() {}

  /** The log manager of the application, as {@code -Djava.util.logging.manager} names it. */
  public static final class Manager extends LogManager {
    public Manager() {
      // A field would be of no use: to look at a field of this class is to set up logging.
      StringBuilder where = new StringBuilder("set up");
      for (StackTraceElement frame : new Throwable().getStackTrace()) {
        where.append(" < ").append(frame.getClassName()).append('.').append(frame.getMethodName());
      }
      System.setProperty(INSTANTIATED, where.toString());
    }
  }

  /** The file of a message; it is not made here because protobuf sets up logging. */
  public static void main(String[] arguments) throws IOException {
    byte[] message = Files.readAllBytes(Path.of(arguments[0]));
    ExportSettings settings =
        ExportSettings.read(
            Signal.PROFILES, System::getenv, System::getProperty, System.out::println);
    Exporter exporter = Exporter.open(settings, System.out::println);
    System.out.println("threads before: " + threads());
    System.out.println("logging before: " + System.getProperty(INSTANTIATED, "untouched"));
    exporter.export(message);
    System.out.println("sent: " + exporter.flush(Duration.ofSeconds(30)));
    System.out.println("threads: " + threads());
    System.out.println("logging: " + System.getProperty(INSTANTIATED, "untouched"));
    // Neither closed nor told to end: a thread that is not a daemon would keep this process alive.
  }

  private static Set<String> threads() {
    Set<String> threads = new TreeSet<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      boolean ours = thread.getName().startsWith("sennit");
      boolean lasting = !thread.isDaemon() && !thread.equals(Thread.currentThread());
      if (ours || lasting) {
        threads.add(thread.getName() + (thread.isDaemon() ? "" : " (keeps the JVM alive)"));
      }
    }
    return threads;
  }
}
