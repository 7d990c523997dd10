/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What people look at, and where telemetry of others arrives: {@code receive} takes OTLP, {@code
 * web} serves the page, and both listen by {@code http}. It uses {@code intake} for what comes in,
 * {@code otlp} for the names of signals, {@code store} for what the page asks and {@code profiles}
 * for the files that are made of it. It must never listen beyond the loopback interface unless told
 * to, trust what a request says, or hold more of it than its limits say.
 */
@NullMarked
package dev.sennit.viewer;

import org.jspecify.annotations.NullMarked;
