/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.context;

/**
 * One thing that is measured.
 *
 * @param variant the mode; for the peer, the state of its profiler
 */
record Subject(boolean isPeer, String operation, String variant, int threads) {}
