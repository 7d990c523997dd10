/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What a line says: its time, its severity, its message and the ids in it, in the layouts that
 * common loggers use. A line that is none of them is plain text, and nothing is refused.
 */
@NullMarked
package dev.sennit.correlation.parse;

import org.jspecify.annotations.NullMarked;
