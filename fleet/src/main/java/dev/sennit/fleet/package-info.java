/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The stitcher for spans of more than one host, on Kafka Streams: spans come from a topic in OTLP
 * and go to another with their parents set. It uses the stitcher of {@code tracing} and the
 * messages of {@code intake}. It must never lose a span, and never hold a partition up for one that
 * it cannot read.
 */
@NullMarked
package dev.sennit.fleet;

import org.jspecify.annotations.NullMarked;
