/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

/**
 * The spans of a service that have the same name and kind.
 *
 * @param total how long all took together, in nanoseconds
 */
public record Operation(
    String name, String kind, long spans, long errors, long total, Latency latency) {}
