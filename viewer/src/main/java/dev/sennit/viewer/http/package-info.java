/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Listening for HTTP/1.1 and HTTP/2 with limits on what strangers may cost; used by the others. */
@NullMarked
package dev.sennit.viewer.http;

import org.jspecify.annotations.NullMarked;
