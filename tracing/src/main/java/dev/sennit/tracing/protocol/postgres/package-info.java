/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** PostgreSQL, protocol 3: {@code docs/protocols/postgres.md}. */
@NullMarked
package dev.sennit.tracing.protocol.postgres;

import org.jspecify.annotations.NullMarked;
