/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Follows the log files of processes that nobody observes, over rotation and restarts, without
 * losing a line or taking one twice.
 */
@NullMarked
package dev.sennit.correlation.tail;

import org.jspecify.annotations.NullMarked;
