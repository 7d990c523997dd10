/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * A line of a log as it goes on its way: what it says, who wrote it, and the span that it belongs
 * to.
 */
@NullMarked
package dev.sennit.correlation.record;

import org.jspecify.annotations.NullMarked;
