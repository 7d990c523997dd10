/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * From bytes to traces: what processes read and write becomes exchanges of requests and responses,
 * and these become spans with the ids that went over the wire. Pure Java, and it uses {@code otlp}
 * alone: it takes events from whoever has them, and never touches the kernel.
 */
@NullMarked
package dev.sennit.tracing;

import org.jspecify.annotations.NullMarked;
