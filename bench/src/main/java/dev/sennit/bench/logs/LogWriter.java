/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.logs;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.FileAppender;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Writes lines of 120 bytes with Logback for some seconds, and says how many and at what cost. */
final class LogWriter {
  private static final int WARM_UP = 5;

  /** With the time, the level, the thread and the logger before it. */
  private static final String MESSAGE =
      "order 4711 was taken, paid and sent, as its customer had wanted it; ";

  private static final long STEP = TimeUnit.MILLISECONDS.toNanos(1);

  private LogWriter() {}

  /** Started with a file, the lines a second or 0 for as many as it can, and the seconds. */
  public static void main(String[] arguments) {
    int rate = Integer.parseInt(arguments[1]);
    int seconds = Integer.parseInt(arguments[2]);
    Logger log = logger(arguments[0]);
    long before = write(log, rate, WARM_UP);
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long cpu = system.getProcessCpuTime();
    long begin = System.nanoTime();
    long lines = write(log, rate, seconds);
    double took = (System.nanoTime() - begin) / 1e9;
    double used = (system.getProcessCpuTime() - cpu) / 1e9;
    System.out.println("RESULT " + before + " " + lines + " " + took + " " + used);
  }

  private static Logger logger(String file) {
    // As SLF4J would make it, were there no other logger on this class path.
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%d{yyyy-MM-dd HH:mm:ss.SSS} %-5level [%thread] shop.Orders - %msg%n");
    encoder.start();
    FileAppender<ILoggingEvent> appender = new FileAppender<>();
    appender.setContext(context);
    appender.setFile(file);
    appender.setAppend(false);
    appender.setEncoder(encoder);
    appender.start();
    Logger logger = context.getLogger("shop.Orders");
    logger.addAppender(appender);
    return logger;
  }

  private static long write(Logger log, int rate, int seconds) {
    long begin = System.nanoTime();
    long end = begin + TimeUnit.SECONDS.toNanos(seconds);
    long written = 0;
    for (long now = begin; now < end; now = System.nanoTime()) {
      long due = rate == 0 ? written + 100 : (now - begin) * rate / TimeUnit.SECONDS.toNanos(1);
      while (written < due) {
        log.info(MESSAGE);
        written++;
      }
      if (rate != 0) {
        LockSupport.parkNanos(STEP);
      }
    }
    return written;
  }
}
