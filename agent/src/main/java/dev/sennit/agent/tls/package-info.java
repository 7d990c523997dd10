/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Lets the kernel see what the JDK's own TLS encrypts and decrypts, and adds {@code traceparent} to
 * requests where the kernel cannot. It changes the JDK's {@code SSLSocket} and {@code SSLEngine} at
 * the four methods through which all plaintext goes. It must never throw into the application,
 * change a byte of what it does not understand, or keep a socket or an engine alive.
 */
@NullMarked
package dev.sennit.agent.tls;

import org.jspecify.annotations.NullMarked;
