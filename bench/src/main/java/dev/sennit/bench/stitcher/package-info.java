/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** How many spans the stitcher joins rightly, wrongly and not at all, and how fast it is. */
@NullMarked
package dev.sennit.bench.stitcher;

import org.jspecify.annotations.NullMarked;
