/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

/**
 * What has come of one signal so far.
 *
 * @param requests that named the signal, whatever became of them
 * @param accepted spans, log records or profiles that were taken
 * @param rejected those of requests that were taken in part
 * @param malformed requests that could not be read
 * @param refused requests that were not taken for any other reason; many are sent again
 * @param bytes of requests, as they came over the wire
 */
public record SignalCounters(
    long requests, long accepted, long rejected, long malformed, long refused, long bytes) {}
