/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Spans on their way out: made into OTLP requests, several at a time, and handed to an exporter
 * that keeps them while the collector is away.
 */
@NullMarked
package dev.sennit.tracing.export;

import org.jspecify.annotations.NullMarked;
