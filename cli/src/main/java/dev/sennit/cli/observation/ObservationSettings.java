/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.kernel.TracerSettings;
import dev.sennit.otlp.export.ExportSettings;
import dev.sennit.tracing.connection.ConnectionLimits;
import dev.sennit.tracing.span.SpanSettings;
import dev.sennit.tracing.stitch.StitcherSettings;
import java.util.Optional;
import java.util.Set;

/**
 * How an observation is made.
 *
 * @param tracer what the kernel's programs do
 * @param hook how much those are needed
 * @param active whether they begin at once; otherwise when they are switched on
 * @param protocols the names of those that are understood; without any, no spans are made
 * @param guessRoutes whether spans of HTTP get a guess of their route
 * @param limits of what connections may hold
 * @param spans how spans are made
 * @param stitcher how spans are joined that nothing else joins; empty if they are left alone
 * @param export where spans go; empty for nowhere
 * @param logs how lines are read; empty if they are not
 * @param logExport where lines go; empty for nowhere
 */
public record ObservationSettings(
    TracerSettings tracer,
    HookUse hook,
    boolean active,
    Set<String> protocols,
    boolean guessRoutes,
    ConnectionLimits limits,
    SpanSettings spans,
    Optional<StitcherSettings> stitcher,
    Optional<ExportSettings> export,
    Optional<LogSettings> logs,
    Optional<ExportSettings> logExport) {
  public ObservationSettings {
    protocols = Set.copyOf(protocols);
  }
}
