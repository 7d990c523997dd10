/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** HTTP/1.0 and HTTP/1.1: RFC 9110 and RFC 9112. */
@NullMarked
package dev.sennit.tracing.protocol.http1;

import org.jspecify.annotations.NullMarked;
