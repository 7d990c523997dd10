/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * How fast a large recording becomes OTLP profiles, beside async-profiler's converter: fresh JVMs
 * with the same flags, in turn, judged by what the kernel says of them.
 */
@NullMarked
package dev.sennit.bench.convert;

import org.jspecify.annotations.NullMarked;
