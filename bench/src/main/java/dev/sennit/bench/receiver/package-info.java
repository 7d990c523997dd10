/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** How much OTLP the receiver takes, and whether any of it is lost. */
@NullMarked
package dev.sennit.bench.receiver;

import org.jspecify.annotations.NullMarked;
