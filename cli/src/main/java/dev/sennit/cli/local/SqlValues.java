/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.local;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** The values of answers in JSON. */
public final class SqlValues {
  private SqlValues() {}

  /** Numbers and truth values as such, the rest as text. */
  public static void write(@Nullable Object value, JsonGenerator json) throws IOException {
    switch (value) {
      case null -> json.writeNull();
      case Boolean truth -> json.writeBoolean(truth);
      case BigInteger number -> json.writeNumber(number);
      case BigDecimal number -> json.writeNumber(number);
      case Double number -> json.writeNumber(number);
      case Float number -> json.writeNumber(number);
      case Number number -> json.writeNumber(number.longValue());
      default -> json.writeString(value.toString());
    }
  }
}
