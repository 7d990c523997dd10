/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.LogManager;

/**
 * An application that says what sending did to it: whether logging was set up behind its back, and
 * which threads there are. It is told where to send by system properties.
 */
final class SilentProgram {
  private static final String INSTANTIATED = "test.log.manager";

  private SilentProgram() {}

  /** The log manager of the application, as {@code -Djava.util.logging.manager} names it. */
  public static final class Manager extends LogManager {
    public Manager() {
      // A field of this class would be of no use: whoever looks at it creates the manager.
      StringBuilder where = new StringBuilder();
      for (StackTraceElement frame : new Throwable().getStackTrace()) {
        where.append(" < ").append(frame.getClassName()).append('.').append(frame.getMethodName());
      }
      System.setProperty(INSTANTIATED, where.toString());
    }
  }

  public static void main(String[] arguments) {
    ExportSettings settings =
        ExportSettings.read(
            Signal.PROFILES, System::getenv, System::getProperty, System.out::println);
    List<String> threads = new ArrayList<>();
    try (OtlpSender sender = OtlpSender.create(settings)) {
      System.out.println("result " + sender.send(Messages.numbered(1)));
      for (Thread thread : Thread.getAllStackTraces().keySet()) {
        threads.add(thread.getName() + (thread.isDaemon() ? " daemon" : " user"));
      }
    }
    System.out.println("threads " + threads);
    System.out.println("log manager " + System.getProperty(INSTANTIATED, "untouched"));
  }
}
