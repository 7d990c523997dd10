/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What Sennit says of itself: its counters, read by Prometheus or sent by OTLP. Reading them
 * changes nothing.
 */
@NullMarked
package dev.sennit.cli.metrics;

import org.jspecify.annotations.NullMarked;
