/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Jazzer looks for bytes that a parser of {@code tracing} does not survive. */
@NullMarked
package dev.sennit.bench.fuzz;

import org.jspecify.annotations.NullMarked;
