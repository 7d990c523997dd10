/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** libbpf by hand: the few of its functions that are needed, with their errors as exceptions. */
@NullMarked
package dev.sennit.kernel.libbpf;

import org.jspecify.annotations.NullMarked;
