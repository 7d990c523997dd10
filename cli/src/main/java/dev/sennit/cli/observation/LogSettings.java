/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.correlation.engine.CorrelationSettings;
import dev.sennit.correlation.line.LineLimits;
import dev.sennit.correlation.mask.Masks;
import java.util.Optional;

/**
 * How the lines of logs are read.
 *
 * @param correlation how they are joined to spans
 * @param limits of what waits for its end
 * @param masks take secrets out
 * @param tail files that are followed whoever writes them; empty for none
 */
public record LogSettings(
    CorrelationSettings correlation, LineLimits limits, Masks masks, Optional<TailOptions> tail) {
  public static LogSettings defaults() {
    return new LogSettings(
        CorrelationSettings.defaults(), LineLimits.defaults(), Masks.standard(), Optional.empty());
  }
}
