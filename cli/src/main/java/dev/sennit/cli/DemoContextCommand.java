/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.process.ProcessContextException;
import dev.sennit.context.process.ProcessContextPublisher;
import dev.sennit.context.process.ResourceDetector;
import dev.sennit.context.thread.AttributeKey;
import dev.sennit.context.thread.ContextApi;
import dev.sennit.context.thread.ContextOptions;
import dev.sennit.context.thread.ContextStorageMode;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code sennit demo-context}: a process to try the other commands on. */
@Command(
    name = "demo-context",
    description =
        "Publishes a context, and runs threads that keep switching spans, for others to read.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  sennit demo-context                       until Ctrl-C",
      "  sennit demo-context --mode otep --for 1m",
      "  OTEL_SERVICE_NAME=checkout sennit demo-context --threads 100"
    })
final class DemoContextCommand implements Callable<Integer> {
  private static final String SERVICE_NAME = "service.name";
  private static final String DEFAULT_SERVICE = "sennit-demo-context";
  private static final int MAX_THREADS = 10_000;
  private static final Duration FOR_EVER = Duration.ofDays(36_500);
  private static final List<String> ROUTES =
      List.of("/cart", "/checkout", "/orders/{id}", "/products", "/products/{id}");

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "otel",
      converter = ModeConverter.class,
      description =
          "How thread contexts are stored: profiler, otel or otep. Default: ${DEFAULT-VALUE}.")
  private ContextStorageMode mode = ContextStorageMode.OTEL;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "8",
      description = "How many threads switch spans. Default: ${DEFAULT-VALUE}.")
  private int threads;

  @Option(
      names = "--for",
      paramLabel = "D",
      converter = DurationConverter.class,
      description = "How long, for example 500ms, 30s or 5m. Default: until Ctrl-C.")
  private Duration duration = FOR_EVER;

  /** The modes by the names that options have for them. */
  static final class ModeConverter implements ITypeConverter<ContextStorageMode> {
    @Override
    public ContextStorageMode convert(String value) {
      try {
        return ContextStorageMode.parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("'" + value + "' is not profiler, otel or otep");
      }
    }
  }

  @Override
  public Integer call() {
    if (threads < 1 || threads > MAX_THREADS) {
      throw CommandFailure.wrongInput(
          "--threads must be between 1 and " + MAX_THREADS + ", not " + threads);
    }
    PrintWriter out = Commands.out(spec);
    PrintWriter err = Commands.err(spec);
    try (Interruption interruption = Interruption.listen()) {
      ProcessContext context = context();
      AttributeKey route = publish(context, err);
      for (int i = 1; i <= threads; i++) {
        Thread.ofPlatform()
            .daemon()
            .name("demo-" + i)
            .start(() -> switchSpans(interruption, route));
      }
      out.println(announcement(context));
      out.flush();
      interruption.comesWithin(duration);
      ContextApi.shutdown();
      ProcessContextPublisher.drop();
    }
    return 0;
  }

  /** Who this process is; the demo's own name where the environment gives it none. */
  private static ProcessContext context() {
    ProcessContext detected = ResourceDetector.detect();
    return detected.resource().get(SERVICE_NAME) instanceof AttributeValue.Text(String name)
            && !name.startsWith("unknown_service")
        ? detected
        : detected.toBuilder().resource(SERVICE_NAME, DEFAULT_SERVICE).build();
  }

  private @Nullable AttributeKey publish(ProcessContext context, PrintWriter err) {
    try {
      ProcessContextPublisher.publish(context);
      if (!ContextApi.initialize(ContextOptions.of(mode))) {
        err.println(
            "sennit: mode "
                + mode.optionValue()
                + " is not to be had here; running in mode "
                + ContextApi.getMode().optionValue());
      }
      return mode == ContextStorageMode.OTEP ? ContextApi.announce("http.route") : null;
    } catch (ProcessContextException | IllegalStateException e) {
      throw CommandFailure.notSo(String.valueOf(e.getMessage()));
    }
  }

  private String announcement(ProcessContext context) {
    long pid = ProcessHandle.current().pid();
    return "process "
        + pid
        + " publishes "
        + ContextText.text(context.resource().getOrDefault(SERVICE_NAME, AttributeValue.of("")))
        + " with "
        + threads
        + (threads == 1 ? " thread" : " threads")
        + " in mode "
        + ContextApi.getMode().optionValue()
        + "; try: "
        + Main.COMMAND
        + " context "
        + pid
        + " --threads --watch";
  }

  /** Requests come and go: a span for a while, then another of the same or a new trace, or none. */
  private static void switchSpans(Interruption interruption, @Nullable AttributeKey route) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long traceIdHigh = 0;
    long traceIdLow = 0;
    do {
      if (traceIdLow == 0 || random.nextInt(3) == 0) {
        traceIdHigh = random.nextLong();
        traceIdLow = random.nextLong(1, Long.MAX_VALUE);
      }
      if (random.nextInt(5) == 0) {
        ContextApi.clear();
      } else {
        ContextApi.setOtel(traceIdHigh, traceIdLow, random.nextLong(1, Long.MAX_VALUE), 1);
        if (route != null) {
          ContextApi.setAttribute(route, ROUTES.get(random.nextInt(ROUTES.size())));
        }
      }
    } while (!interruption.comesWithin(Duration.ofMillis(random.nextLong(50, 500))));
    ContextApi.clear();
  }
}
