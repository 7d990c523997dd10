/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The kernel side: programs that see what chosen processes read and write, decide trace ids, and
 * put {@code traceparent} into requests, with what loads, attaches, feeds and hears them. It may
 * use {@code context} and libbpf. It must never attach to the root cgroup or to what nobody named,
 * and never outlive its lease.
 */
@NullMarked
package dev.sennit.kernel;

import org.jspecify.annotations.NullMarked;
