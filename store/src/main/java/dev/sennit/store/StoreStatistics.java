/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store;

import dev.sennit.store.write.WriterState;

/**
 * What a store has done since it was opened, and what it takes.
 *
 * @param written what has become of rows
 * @param bytesOnDisk the length of the file and of the log of changes beside it
 */
public record StoreStatistics(WriterState written, long bytesOnDisk) {}
