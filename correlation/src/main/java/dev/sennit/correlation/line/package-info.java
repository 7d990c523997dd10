/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * From the bytes that threads write to lines: parts are put together, stack traces stay with the
 * line above them, and what is longer than the bound is cut.
 */
@NullMarked
package dev.sennit.correlation.line;

import org.jspecify.annotations.NullMarked;
