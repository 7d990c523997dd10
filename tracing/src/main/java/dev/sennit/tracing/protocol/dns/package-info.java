/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** DNS, RFC 1035, over UDP and TCP. */
@NullMarked
package dev.sennit.tracing.protocol.dns;

import org.jspecify.annotations.NullMarked;
