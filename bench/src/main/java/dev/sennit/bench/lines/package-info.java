/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** What it costs to understand a line of a log, and to mask what is secret in it. */
@NullMarked
package dev.sennit.bench.lines;

import org.jspecify.annotations.NullMarked;
