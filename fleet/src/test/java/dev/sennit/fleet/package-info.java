/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** What the fleet's stitcher promises, with a real broker and, step by step, without one. */
@NullMarked
package dev.sennit.fleet;

import org.jspecify.annotations.NullMarked;
