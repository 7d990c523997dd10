/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.math.BigDecimal;

/** Moments as the page has them. */
final class Moments {
  private Moments() {}

  /** Writes nanoseconds since 1970 as milliseconds, with all of their digits. */
  static void write(JsonGenerator out, String name, long nanos) throws IOException {
    out.writeFieldName(name);
    out.writeNumber(BigDecimal.valueOf(nanos, 6));
  }
}
