/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What is heard of the connections of processes: pieces of bytes with their time and thread, and
 * the ids that were decided where they passed. It knows no protocol.
 */
@NullMarked
package dev.sennit.tracing.traffic;

import org.jspecify.annotations.NullMarked;
