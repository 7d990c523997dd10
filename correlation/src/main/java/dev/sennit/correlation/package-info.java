/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Log lines that know their trace: what processes write to their logs becomes lines, lines become
 * records, and each record gets the span in which it was written, where that is certain. Pure Java,
 * and it uses {@code otlp} alone: bytes, spans and files come from whoever has them.
 */
@NullMarked
package dev.sennit.correlation;

import org.jspecify.annotations.NullMarked;
