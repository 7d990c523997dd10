/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
@NullMarked
package dev.sennit.tracing.stitch;

import org.jspecify.annotations.NullMarked;
