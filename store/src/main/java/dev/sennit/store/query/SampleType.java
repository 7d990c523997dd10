/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

/**
 * What is sampled, and how much of it there is.
 *
 * @param unit of the values: count, nanoseconds, bytes
 * @param total the sum of their values
 */
public record SampleType(String type, String unit, long samples, long total) {}
