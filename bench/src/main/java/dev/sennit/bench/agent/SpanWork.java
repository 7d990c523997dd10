/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.agent;

import com.sun.management.OperatingSystemMXBean;
import dev.sennit.bench.agent.Served.Reading;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The application: a thread for each processor serves requests, each in a span with {@value
 * #CHILDREN} others inside, and some microseconds of work in every one of them. It knows
 * OpenTelemetry's API; whose spans they are is up to who runs it. It says when it is warm, and
 * reads, as often as it is told, from when to when it is to measure, as {@link System#nanoTime} of
 * any process of the machine. Argument: the seconds of each processor to warm up for.
 */
final class SpanWork {
  static final String READY = "ready";
  static final String SERVED = "served ";
  static final int CHILDREN = 3;

  /** Of the current span of a thread: each span of a request becomes it and ends being it. */
  static final int SWITCHES_PER_REQUEST = 2 * (1 + CHILDREN);

  private static final int LONGEST_WARMUP = 4;
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final int WORDS = 700;
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

  public static void main(String[] arguments) throws IOException, InterruptedException {
    List<Server> servers = new ArrayList<>();
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      Server server = new Server();
      servers.add(server);
      Thread.ofPlatform().daemon().name("server-" + i).start(server::run);
    }
    warmUp(TimeUnit.SECONDS.toNanos(Integer.parseInt(arguments[0])), servers);
    System.out.println(READY);
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (@Nullable String times = input.readLine(); times != null; times = input.readLine()) {
      Reading first = readingAt(Long.parseLong(times.substring(0, times.indexOf(' '))), servers);
      Reading last = readingAt(Long.parseLong(times.substring(times.indexOf(' ') + 1)), servers);
      System.out.println(
          SERVED
              + String.join(" ", first.print(), last.print())
              + (servers.stream().mapToInt(server -> server.result).sum() == 42 ? " " : ""));
    }
    System.exit(0);
  }

  /** Compilers need processor time, of which there is less than by the clock if others run, too. */
  private static void warmUp(long nanos, List<Server> servers) throws InterruptedException {
    Reading start = reading(servers);
    Reading now = start;
    while (now.cpuNanos() - start.cpuNanos() < nanos * servers.size()
        && now.nanos() - start.nanos() < LONGEST_WARMUP * nanos) {
      TimeUnit.MILLISECONDS.sleep(50);
      now = reading(servers);
    }
  }

  private static Reading readingAt(long nanoTime, List<Server> servers)
      throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(nanoTime - System.nanoTime());
    return reading(servers);
  }

  private static Reading reading(List<Server> servers) {
    return new Reading(
        servers.stream().mapToLong(server -> server.requests).sum(),
        System.nanoTime(),
        SYSTEM.getProcessCpuTime());
  }
}
