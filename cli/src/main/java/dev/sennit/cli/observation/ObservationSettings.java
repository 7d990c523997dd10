/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.kernel.TracerSettings;
import dev.sennit.otlp.export.ExportSettings;
import dev.sennit.tracing.connection.ConnectionLimits;
import dev.sennit.tracing.protocol.Protocol;
import dev.sennit.tracing.span.SpanSettings;
import dev.sennit.tracing.stitch.StitcherSettings;
import java.util.List;
import java.util.Optional;

/**
 * How an observation is made.
 *
 * @param tracer what the kernel's programs do
 * @param active whether they begin at once; otherwise when they are switched on
 * @param protocols those that are understood
 * @param limits of what connections may hold
 * @param spans how spans are made
 * @param stitcher how spans are joined that nothing else joins
 * @param export where spans go; empty for nowhere
 */
public record ObservationSettings(
    TracerSettings tracer,
    boolean active,
    List<Protocol> protocols,
    ConnectionLimits limits,
    SpanSettings spans,
    StitcherSettings stitcher,
    Optional<ExportSettings> export) {
  public ObservationSettings {
    protocols = List.copyOf(protocols);
  }
}
