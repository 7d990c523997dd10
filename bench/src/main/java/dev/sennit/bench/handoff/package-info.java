/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** What it costs a hand-over that contexts follow it. */
@NullMarked
package dev.sennit.bench.handoff;

import org.jspecify.annotations.NullMarked;
