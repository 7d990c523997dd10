/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.exchange;

import dev.sennit.otlp.AttributeValue;
import dev.sennit.tracing.traffic.Piece;
import dev.sennit.tracing.traffic.RequestIds;
import dev.sennit.tracing.traffic.TraceIds;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request and its response. A parser makes one when a request begins, adds what it learns, and
 * hands it over when it has ended; from then on it does not change.
 *
 * <p>Attributes are those of the semantic conventions that only the protocol knows. Who the ends
 * are is added for all protocols alike, except where the protocol has said it already.
 */
public final class Exchange {
  private final String protocol;
  private final Piece begin;
  private final Map<String, AttributeValue> attributes = new LinkedHashMap<>();
  private String name;
  private Piece end;
  private @Nullable Piece head;
  private int headNumber;
  private @Nullable TraceIds carried;
  private @Nullable String errorType;
  private long requestBytes;
  private long responseBytes;
  private boolean complete;

  /**
   * @param protocol its name as in the configuration: that of its {@code Protocol}, but for gRPC,
   *     which is found in HTTP/2
   * @param name of the span, of low cardinality
   * @param begin the call that moved the first byte of the request
   */
  public Exchange(String protocol, String name, Piece begin) {
    this.protocol = protocol;
    this.name = name;
    this.begin = begin;
    this.end = begin;
  }

  /**
   * The request's head has ended with a byte of this piece, and with it all that decides about its
   * ids. To be called once, in the order of requests.
   */
  public Exchange head(Piece piece) {
    head = piece;
    headNumber = piece.nextHead();
    return this;
  }

  public Exchange name(String newName) {
    name = newName;
    return this;
  }

  /** Puts an attribute; null is none. */
  public Exchange put(String key, @Nullable String value) {
    if (value != null) {
      attributes.put(key, AttributeValue.of(value));
    }
    return this;
  }

  public Exchange put(String key, long value) {
    attributes.put(key, AttributeValue.of(value));
    return this;
  }

  public Exchange put(String key, List<String> values) {
    attributes.put(key, AttributeValue.ofStrings(values));
    return this;
  }

  /** The {@code traceparent} that the request carried, if it was valid. */
  public Exchange carried(@Nullable TraceIds ids) {
    carried = ids;
    return this;
  }

  /** The span's status is an error, and {@code error.type} says which. */
  public Exchange failed(String type) {
    errorType = type;
    return this;
  }

  public Exchange sizes(long request, long response) {
    requestBytes = request;
    responseBytes = response;
    return this;
  }

  /** The response is over, with a byte of this piece. */
  public Exchange complete(Piece last) {
    end = last;
    complete = true;
    return this;
  }

  /** It ended without a whole response: the connection ended, or its rest was not seen. */
  public Exchange broken(Piece last) {
    end = last;
    return this;
  }

  public String protocol() {
    return protocol;
  }

  public String name() {
    return name;
  }

  public Piece begin() {
    return begin;
  }

  /** That of its begin until it has ended. */
  public Piece end() {
    return end;
  }

  public boolean isComplete() {
    return complete;
  }

  public Map<String, AttributeValue> attributes() {
    return Collections.unmodifiableMap(attributes);
  }

  public @Nullable TraceIds carried() {
    return carried;
  }

  public @Nullable String errorType() {
    return errorType;
  }

  public long requestBytes() {
    return requestBytes;
  }

  public long responseBytes() {
    return responseBytes;
  }

  /** What was decided about the request while its bytes passed; null if nothing was. */
  public @Nullable RequestIds decision() {
    Piece piece = head;
    return piece == null ? null : piece.decision(headNumber);
  }
}
