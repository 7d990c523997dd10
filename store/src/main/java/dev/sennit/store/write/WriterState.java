/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

import org.jspecify.annotations.Nullable;

/**
 * What has become of rows since a store was opened, and what waits.
 *
 * @param duplicates spans and samples that were there already
 * @param lost rows that the database did not take
 * @param pruned rows that were removed for want of room or for their age
 * @param queuedBytes what waits to be written
 * @param lastFailure the last thing that went wrong; null if nothing did
 */
public record WriterState(
    long spans,
    long logs,
    long samples,
    long duplicates,
    long lost,
    long pruned,
    long queuedBytes,
    @Nullable String lastFailure) {}
