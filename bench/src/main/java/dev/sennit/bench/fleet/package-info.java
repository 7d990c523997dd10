/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** How fast the fleet's stitcher is with a broker beside it, and what it needs. */
@NullMarked
package dev.sennit.bench.fleet;

import org.jspecify.annotations.NullMarked;
