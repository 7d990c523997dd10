/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** The kernel's ring of events, mapped and read without a call, and its records as flyweights. */
@NullMarked
package dev.sennit.kernel.ring;

import org.jspecify.annotations.NullMarked;
