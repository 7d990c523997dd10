/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

/**
 * What a stitcher has done so far. The first five are of SERVER spans, each of which is one of them
 * when it leaves, unless it is evicted.
 *
 * @param injected joined by ids that were put in on the way
 * @param adopted joined by ids that the client had put in itself
 * @param stitched joined here
 * @param orphaned without ids, and with no CLIENT span that could be the other side
 * @param ambiguous without ids, and left alone because what might be the other side is not certain
 * @param evicted spans of any kind that were let go unchanged because too many were held
 * @param late spans of any kind that came when their trace had been decided already
 */
public record StitcherCounts(
    long injected,
    long adopted,
    long stitched,
    long orphaned,
    long ambiguous,
    long evicted,
    long late) {}
