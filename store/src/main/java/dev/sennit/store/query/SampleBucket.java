/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

/**
 * What was sampled in a part of a range; parts without samples are not told.
 *
 * @param place counts from 0 at the beginning of the range
 * @param total the sum of the values
 */
public record SampleBucket(int place, long samples, long total) {}
