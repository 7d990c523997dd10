/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.intake;

import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;

/**
 * Takes telemetry, such as a store does. May be called by many threads at the same time; it answers
 * when it has the whole of a request, though not yet on disk.
 */
public interface TelemetrySink {
  Answer traces(ExportTraceServiceRequest request);

  Answer logs(ExportLogsServiceRequest request);

  Answer profiles(ExportProfilesServiceRequest request);
}
