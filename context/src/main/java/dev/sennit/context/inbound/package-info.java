/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What the kernel's programs tell a thread of the request that it has just read, and how a process
 * comes by the memory in which they do. It may use {@code memory} and the JDK, for it also works
 * inside other people's processes. It must never write to that memory, and never make a thread that
 * reads a request wait or fail.
 */
@NullMarked
package dev.sennit.context.inbound;

import org.jspecify.annotations.NullMarked;
