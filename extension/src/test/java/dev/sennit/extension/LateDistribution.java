/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.resources.ResourceBuilder;

/**
 * Another's provider that comes late and changes the resource: of {@code a=3,b=2} in its system
 * property it makes the attributes {@code a=xxx} and {@code b=xx}.
 */
public final class LateDistribution implements AutoConfigurationCustomizerProvider {
  static final String PROPERTY = "test.late";

  /** Made by the service loader. */
  public LateDistribution() {}

  @Override
  public int order() {
    return 1_000_000;
  }

  @Override
  public void customize(AutoConfigurationCustomizer configuration) {
    configuration.addResourceCustomizer(LateDistribution::extend);
  }

  private static Resource extend(Resource resource, ConfigProperties properties) {
    ResourceBuilder extended = resource.toBuilder();
    properties
        .getMap(PROPERTY)
        .forEach((key, length) -> extended.put(key, "x".repeat(Integer.parseInt(length))));
    return extended.build();
  }
}
