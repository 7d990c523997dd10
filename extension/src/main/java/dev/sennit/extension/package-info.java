/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Ties OpenTelemetry's SDK to Sennit's records: the current span of every thread, and the resource
 * of the process; and lends the agent the SDK's connection for logs. The same jar is an extension
 * of OpenTelemetry's Java agent and an ordinary dependency beside its SDK. It may use contexts and
 * OpenTelemetry's API and SPI. It must never change what the SDK does, and never throw into it.
 */
@NullMarked
package dev.sennit.extension;

import org.jspecify.annotations.NullMarked;
