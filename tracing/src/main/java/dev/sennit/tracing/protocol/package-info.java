/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The protocols: one small class each, which is fed with the two directions of a connection and
 * says what was asked and what was answered. What they take, what they say of it and what they
 * cannot is in {@code docs/protocols}. They know no ids of spans, and nothing that they read leaves
 * them but the attributes that the semantic conventions name.
 */
@NullMarked
package dev.sennit.tracing.protocol;

import org.jspecify.annotations.NullMarked;
