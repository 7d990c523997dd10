/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.Value;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.logs.data.Body;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.resources.Resource;
import org.jspecify.annotations.Nullable;

/** A record that the SDK did not make and is to send all the same. */
@SuppressWarnings("deprecation") // exporters of older SDKs ask for the body in the older way
record HandedLogRecord(
    Resource resource,
    InstrumentationScopeInfo scope,
    long time,
    long observedTime,
    SpanContext span,
    String text,
    Attributes attributes,
    String event)
    implements LogRecordData {

  @Override
  public Resource getResource() {
    return resource;
  }

  @Override
  public InstrumentationScopeInfo getInstrumentationScopeInfo() {
    return scope;
  }

  @Override
  public long getTimestampEpochNanos() {
    return time;
  }

  @Override
  public long getObservedTimestampEpochNanos() {
    return observedTime;
  }

  @Override
  public SpanContext getSpanContext() {
    return span;
  }

  @Override
  public Severity getSeverity() {
    return Severity.UNDEFINED_SEVERITY_NUMBER;
  }

  @Override
  public @Nullable String getSeverityText() {
    return null;
  }

  @Override
  public Body getBody() {
    return Body.string(text);
  }

  @Override
  public Value<?> getBodyValue() {
    return Value.of(text);
  }

  @Override
  public Attributes getAttributes() {
    return attributes;
  }

  @Override
  public int getTotalAttributeCount() {
    return attributes.size();
  }

  @Override
  public String getEventName() {
    return event;
  }
}
