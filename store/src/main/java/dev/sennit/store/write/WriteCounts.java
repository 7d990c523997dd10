/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

import java.util.concurrent.atomic.LongAdder;

/** What has become of rows since the store was opened. */
final class WriteCounts {
  final LongAdder spans = new LongAdder();
  final LongAdder logs = new LongAdder();
  final LongAdder samples = new LongAdder();
  final LongAdder duplicates = new LongAdder();
  final LongAdder lost = new LongAdder();
  final LongAdder pruned = new LongAdder();
}
