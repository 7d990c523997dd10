/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.agent;

import com.sun.management.OperatingSystemMXBean;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The application: a thread for each processor serves requests, each in a span with {@value
 * #CHILDREN} others inside, and some microseconds of work in every one of them. It knows
 * OpenTelemetry's API; whose spans they are is up to who runs it. Arguments: the seconds to warm up
 * and to measure.
 */
final class SpanWork {
  static final int CHILDREN = 3;

  /** Of the current span of a thread: each span of a request becomes it and ends being it. */
  static final int SWITCHES_PER_REQUEST = 2 * (1 + CHILDREN);

  private static final int WORDS = 1200;
  private static final int WORD_LENGTH = 8;

  /** What a thread has done so far; only it writes there, and others may look. */
  private static final class Server {
    private final Tracer tracer = GlobalOpenTelemetry.getTracer("bench");
    private final int[] counts = new int[1 << 10];
    private int state = 1;
    private int sum;
    volatile long requests;
    volatile int result;

    void run() {
      for (long served = 1; ; served++) {
        Span request = tracer.spanBuilder("request").startSpan();
        try (Scope _ = request.makeCurrent()) {
          sum += work();
          for (int i = 0; i < CHILDREN; i++) {
            call();
          }
        } finally {
          request.end();
        }
        requests = served;
        result = sum;
      }
    }

    private void call() {
      Span child = tracer.spanBuilder("call").startSpan();
      try (Scope _ = child.makeCurrent()) {
        sum += work();
      } finally {
        child.end();
      }
    }

    /**
     * Makes some text, takes it apart and counts its words, with code of its own alone: the
     * compilers treat the JDK's by what everybody in the JVM, an agent included, has done with it.
     */
    private int work() {
      byte[] text = new byte[WORDS * WORD_LENGTH];
      for (int i = 0; i < text.length; i++) {
        state = state * 1103515245 + 12345;
        text[i] = (byte) (i % WORD_LENGTH == 0 ? ' ' : 'a' + (state >>> 29));
      }
      int found = 0;
      int hash = 0;
      for (byte letter : text) {
        if (letter == ' ') {
          found += ++counts[hash >>> 22];
          hash = 0;
        } else {
          hash = (hash ^ letter) * 0x01000193;
        }
      }
      return found;
    }
  }

  private SpanWork() {}

  public static void main(String[] arguments) throws InterruptedException {
    List<Server> servers = new ArrayList<>();
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      Server server = new Server();
      servers.add(server);
      Thread.ofPlatform().daemon().name("server-" + i).start(server::run);
    }
    TimeUnit.SECONDS.sleep(Integer.parseInt(arguments[0]));
    Reading before = Reading.take(servers);
    TimeUnit.SECONDS.sleep(Integer.parseInt(arguments[1]));
    Reading after = Reading.take(servers);
    System.out.println(
        "served "
            + (after.requests - before.requests)
            + " "
            + (after.nanos - before.nanos)
            + " "
            + (after.cpuNanos - before.cpuNanos)
            + (servers.stream().mapToInt(server -> server.result).sum() == 42 ? " " : ""));
    System.exit(0);
  }

  private record Reading(long requests, long nanos, long cpuNanos) {
    static Reading take(List<Server> servers) {
      OperatingSystemMXBean system =
          (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
      return new Reading(
          servers.stream().mapToLong(server -> server.requests).sum(),
          System.nanoTime(),
          system.getProcessCpuTime());
    }
  }
}
