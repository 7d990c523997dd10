/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet.trial;

import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;

/**
 * What the Collector of a host sends at once.
 *
 * @param time when, in milliseconds since 1970
 */
public record HostBatch(int host, long time, ExportTraceServiceRequest request) {}
