/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

/**
 * Calls from a service to another, or to something that has no spans of its own.
 *
 * @param callee a service, or what its callers call it: a database, a queue, a host
 * @param seen whether the callee has spans of its own
 * @param p99 nanoseconds
 */
public record ServiceEdge(
    String caller, String callee, boolean seen, long calls, long errors, long p99) {}
