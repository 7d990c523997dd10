/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Takes secrets out of lines before they go anywhere. */
@NullMarked
package dev.sennit.correlation.mask;

import org.jspecify.annotations.NullMarked;
