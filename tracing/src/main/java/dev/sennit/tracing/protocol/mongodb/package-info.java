/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** MongoDB: {@code docs/protocols/mongodb.md}. */
@NullMarked
package dev.sennit.tracing.protocol.mongodb;

import org.jspecify.annotations.NullMarked;
