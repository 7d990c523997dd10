/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import org.jspecify.annotations.Nullable;

/**
 * A process, or whatever else a resource describes.
 *
 * @param firstSeen when something of it first came, in nanoseconds since 1970
 * @param lastSeen likewise when something last came, some seconds off
 * @param resource an object of JSON
 */
public record ProcessInfo(
    long processId,
    String service,
    @Nullable String instance,
    @Nullable String host,
    @Nullable Long pid,
    long firstSeen,
    long lastSeen,
    @Nullable String resource) {}
