/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Takes OTLP over HTTP and gRPC and hands it to a {@link dev.sennit.intake.TelemetrySink}. Whatever
 * arrives is answered as the specification says, or its connection is closed.
 */
@NullMarked
package dev.sennit.viewer.receive;

import org.jspecify.annotations.NullMarked;
