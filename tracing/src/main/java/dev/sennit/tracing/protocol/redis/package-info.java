/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Redis and what speaks its protocol, RESP: {@code docs/protocols/redis.md}. */
@NullMarked
package dev.sennit.tracing.protocol.redis;

import org.jspecify.annotations.NullMarked;
