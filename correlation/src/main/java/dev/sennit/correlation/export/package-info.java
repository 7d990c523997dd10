/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Records on their way out, made into OTLP requests, several at a time. */
@NullMarked
package dev.sennit.correlation.export;

import org.jspecify.annotations.NullMarked;
