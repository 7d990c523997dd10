/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.resources.Resource;

/**
 * Makes the SDK's resource that of the process record. It comes after all other providers, for each
 * of them may change the resource; what {@link SennitAutoConfiguration} does cannot wait so long.
 */
public final class ResourceAutoConfiguration implements AutoConfigurationCustomizerProvider {
  /** Made by the service loader. */
  public ResourceAutoConfiguration() {}

  @Override
  public int order() {
    return Integer.MAX_VALUE;
  }

  @Override
  public void customize(AutoConfigurationCustomizer configuration) {
    if (SennitAutoConfiguration.isEnabled()) {
      configuration.addResourceCustomizer(ResourceAutoConfiguration::publish);
    }
  }

  private static Resource publish(Resource resource, ConfigProperties properties) {
    try {
      // The SDK puts its resource together also when it is to make no spans.
      ProcessResource.publish(resource, !properties.getBoolean("otel.sdk.disabled", false));
    } catch (RuntimeException | LinkageError | AssertionError e) {
      Problems.warn("the resource is not made known to readers outside", e);
    }
    return resource;
  }
}
