/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.correlation.tail.TailSettings;
import java.nio.file.Path;

/**
 * Log files that are followed whoever writes them.
 *
 * @param positions the file that remembers how far they were read
 */
public record TailOptions(TailSettings settings, Path positions) {}
