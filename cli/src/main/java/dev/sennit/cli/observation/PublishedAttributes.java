/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.context.process.AttributeValue;
import org.jspecify.annotations.Nullable;

/** Attributes that a process published, as OTLP has them. */
final class PublishedAttributes {
  private PublishedAttributes() {}

  /** Null for the kinds that resources of spans do not have. */
  static dev.sennit.otlp.@Nullable AttributeValue convert(AttributeValue value) {
    return switch (value) {
      case AttributeValue.Text text -> dev.sennit.otlp.AttributeValue.of(text.value());
      case AttributeValue.Flag flag -> dev.sennit.otlp.AttributeValue.of(flag.value());
      case AttributeValue.Whole whole -> dev.sennit.otlp.AttributeValue.of(whole.value());
      case AttributeValue.Real real -> dev.sennit.otlp.AttributeValue.of(real.value());
      default -> null;
    };
  }
}
