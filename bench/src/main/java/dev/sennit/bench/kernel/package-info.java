/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What being traced by the kernel's programs costs: their own time, latencies, throughput, and the
 * ring's reader.
 */
@NullMarked
package dev.sennit.bench.kernel;

import org.jspecify.annotations.NullMarked;
