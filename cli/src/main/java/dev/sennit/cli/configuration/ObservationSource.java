/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.configuration;

import dev.sennit.cli.observation.HookUse;
import dev.sennit.cli.observation.LogSettings;
import dev.sennit.cli.observation.ObservationSettings;
import dev.sennit.cli.observation.TailOptions;
import dev.sennit.correlation.engine.CorrelationSettings.Ambiguous;
import dev.sennit.correlation.mask.Masks;
import dev.sennit.correlation.tail.TailSettings;
import dev.sennit.kernel.TracerSettings;
import dev.sennit.otlp.export.ExportSettings;
import dev.sennit.tracing.connection.ConnectionLimits;
import dev.sennit.tracing.span.SpanSettings;
import dev.sennit.tracing.stitch.StitcherSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What an observation is told of the file. */
public final class ObservationSource {
  private ObservationSource() {}

  /**
   * The settings of an observation.
   *
   * @param hook how much the kernel's programs are needed, if the file does not switch them off
   * @param active whether they begin at once
   * @param export where spans go
   * @param logExport where log records go
   */
  public static ObservationSettings read(
      Configuration configuration,
      HookUse hook,
      boolean active,
      Optional<ExportSettings> export,
      Optional<ExportSettings> logExport) {
    double ratio = configuration.get(Keys.SAMPLING_RATIO);
    return new ObservationSettings(
        tracer(configuration, ratio),
        configuration.get(Keys.HOOK_ENABLED) ? hook : HookUse.OFF,
        active,
        protocols(configuration),
        configuration.get(Keys.GUESS_ROUTE),
        limits(configuration),
        new SpanSettings(
            ratio,
            configuration.get(Keys.SDK_SPANS).equals("drop")
                ? SpanSettings.Doubled.DROP
                : SpanSettings.Doubled.CHILD),
        stitcher(configuration),
        export,
        logs(configuration),
        logExport);
  }

  private static TracerSettings tracer(Configuration configuration, double ratio) {
    return new TracerSettings.Builder()
        .inject(configuration.get(Keys.HOOK_INJECT))
        .startTraces(configuration.get(Keys.HOOK_START_TRACES))
        .http2(configuration.get(Keys.HOOK_HTTP2))
        .baggage(configuration.get(Keys.HOOK_BAGGAGE))
        .capture(Math.toIntExact(configuration.get(Keys.HOOK_CAPTURE)))
        .scan(Math.toIntExact(configuration.get(Keys.HOOK_SCAN)))
        .contextLifetime(configuration.get(Keys.HOOK_CONTEXT_TTL))
        .ringBytes(Math.toIntExact(configuration.get(Keys.HOOK_RING)))
        .connections(configuration.get(Keys.HOOK_CONNECTIONS))
        .threads(configuration.get(Keys.HOOK_THREADS))
        .sampleRatio(ratio)
        .logs(configuration.get(Keys.CORRELATION_ENABLED))
        .lineCapture(Math.toIntExact(configuration.get(Keys.LINE_BYTES)))
        .logFiles(configuration.get(Keys.LOG_FILES))
        .build();
  }

  private static Optional<LogSettings> logs(Configuration configuration) {
    if (!configuration.get(Keys.CORRELATION_ENABLED)) {
      return Optional.empty();
    }
    LogSettings standard = LogSettings.defaults();
    return Optional.of(
        new LogSettings(
            standard
                .correlation()
                .withWindow(configuration.get(Keys.CORRELATION_WINDOW))
                .withAmbiguous(
                    configuration.get(Keys.CORRELATION_AMBIGUOUS).equals("silent")
                        ? Ambiguous.SILENT
                        : Ambiguous.LATEST),
            standard.limits(),
            configuration.get(Keys.MASK_ENABLED)
                ? Masks.with(configuration.get(Keys.MASK_PATTERNS))
                : Masks.none(),
            tail(configuration)));
  }

  private static Optional<TailOptions> tail(Configuration configuration) {
    List<String> files = configuration.get(Keys.TAIL_FILES);
    return files.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new TailOptions(
                TailSettings.of(files).withBeginning(configuration.get(Keys.TAIL_FROM_BEGINNING)),
                Path.of(
                    configuration
                        .find(Keys.TAIL_POSITIONS)
                        .orElseGet(() -> StateFolder.file("log-positions").toString()))));
  }

  private static Optional<StitcherSettings> stitcher(Configuration configuration) {
    return configuration.get(Keys.STITCHING_ENABLED)
        ? Optional.of(
            StitcherSettings.defaults()
                .withWindow(configuration.get(Keys.STITCHING_WINDOW))
                .withThreshold(configuration.get(Keys.STITCHING_THRESHOLD)))
        : Optional.empty();
  }

  private static ConnectionLimits limits(Configuration configuration) {
    return new ConnectionLimits(
        configuration.get(Keys.LIMIT_CONNECTIONS),
        Math.toIntExact(configuration.get(Keys.LIMIT_BYTES_PER_SIDE)),
        configuration.get(Keys.LIMIT_BYTES));
  }

  /** None at all where no spans are to be made. */
  private static Set<String> protocols(Configuration configuration) {
    return Keys.PROTOCOLS.entrySet().stream()
        .filter(each -> configuration.get(Keys.TRACING_ENABLED))
        .filter(each -> configuration.get(each.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }
}
