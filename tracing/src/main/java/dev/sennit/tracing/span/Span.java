/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.span;

import dev.sennit.otlp.AttributeValue;
import dev.sennit.otlp.Resource;
import dev.sennit.tracing.traffic.TraceIds;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One side of an exchange, as it is exported.
 *
 * @param start nanoseconds since 1970
 * @param end nanoseconds since 1970
 * @param protocol as in the exchange
 * @param resource of the process that it happened in
 * @param errorType null if it did not fail
 * @param link how it is joined to the other side
 * @param ends who talked to whom
 * @param requestBytes the request's size, as far as it was seen
 * @param responseBytes the response's size, as far as it was seen
 */
public record Span(
    TraceIds ids,
    SpanKind kind,
    String name,
    long start,
    long end,
    String protocol,
    Resource resource,
    Map<String, AttributeValue> attributes,
    @Nullable String errorType,
    Link link,
    Ends ends,
    long requestBytes,
    long responseBytes) {

  /** How a span is joined to the span of the other side of its exchange. */
  public enum Link {
    /**
     * Ids went over the wire that were put in on the way: sent by a client, or read by a server.
     */
    INJECTED,
    /** Ids went over the wire that the client had put in itself. */
    ADOPTED,
    /** No ids were on the wire; the two sides were found to belong together. */
    STITCHED,
    /** By nothing. */
    NONE
  }

  public Span {
    attributes = Map.copyOf(attributes);
  }

  /** The same span at another place of the hierarchy. */
  public Span withIds(TraceIds newIds, Link newLink) {
    return new Span(
        newIds,
        kind,
        name,
        start,
        end,
        protocol,
        resource,
        attributes,
        errorType,
        newLink,
        ends,
        requestBytes,
        responseBytes);
  }
}
