/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Joins records to spans by process, thread and time, as exactly as what is known of them allows,
 * and leaves alone what could belong to more than one.
 */
@NullMarked
package dev.sennit.correlation.engine;

import org.jspecify.annotations.NullMarked;
