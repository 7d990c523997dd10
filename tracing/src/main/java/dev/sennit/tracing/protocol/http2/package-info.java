/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** HTTP/2, RFC 9113, and gRPC over it. */
@NullMarked
package dev.sennit.tracing.protocol.http2;

import org.jspecify.annotations.NullMarked;
