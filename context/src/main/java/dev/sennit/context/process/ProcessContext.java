/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.process;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Who a process is: its OpenTelemetry resource, and attributes for outside readers that are not
 * part of it (OTEP 4719, message {@code ProcessContext}). Immutable; the order of keys is kept.
 */
public record ProcessContext(
    Map<String, AttributeValue> resource, Map<String, AttributeValue> attributes) {

  public ProcessContext {
    resource = Collections.unmodifiableMap(new LinkedHashMap<>(resource));
    attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
  }

  public static Builder builder() {
    return new Builder();
  }

  /** A builder that starts with what this context holds. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.resource.putAll(resource);
    builder.attributes.putAll(attributes);
    return builder;
  }

  /** Collects a {@link ProcessContext}; a key that is put twice keeps its last value. */
  public static final class Builder {
    private final Map<String, AttributeValue> resource = new LinkedHashMap<>();
    private final Map<String, AttributeValue> attributes = new LinkedHashMap<>();

    private Builder() {}

    public Builder resource(String key, String value) {
      return resource(key, AttributeValue.of(value));
    }

    public Builder resource(String key, AttributeValue value) {
      resource.put(requireKey(key), value);
      return this;
    }

    public Builder attribute(String key, AttributeValue value) {
      attributes.put(requireKey(key), value);
      return this;
    }

    public Builder withoutAttribute(String key) {
      attributes.remove(key);
      return this;
    }

    public ProcessContext build() {
      return new ProcessContext(resource, attributes);
    }

    private static String requireKey(String key) {
      if (key.isEmpty()) {
        throw new IllegalArgumentException("an attribute key must not be empty");
      }
      return key;
    }
  }
}
