/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Formats as {@code --format} names them. */
final class OutputFormatConverter implements ITypeConverter<OutputFormat> {
  @Override
  public OutputFormat convert(String value) {
    @Nullable OutputFormat format = OutputFormat.named(value);
    if (format == null) {
      throw new TypeConversionException("'" + value + "' is not one of " + OutputFormat.names());
    }
    return format;
  }
}
