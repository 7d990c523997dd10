/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpenContextTest {
  private static final String TRACEPARENT =
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  @Test
  void whatIsWrittenIsRead() {
    OpenContext context = new OpenContext(4711, 81234567, 89234567, TRACEPARENT);
    assertThat(context.encode()).isEqualTo("4711,81234567,89234567," + TRACEPARENT);
    assertThat(OpenContext.parse(context.encode())).isEqualTo(context);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "hello",
        "1,2,3",
        "1,2,3,nothing",
        "a,2,3," + TRACEPARENT,
        "1,2," + TRACEPARENT,
        "1,2,3,00-00000000000000000000000000000000-b7ad6b7169203331-01"
      })
  void whatIsNoneIsLeftAlone(String data) {
    assertThat(OpenContext.parse(data)).isNull();
  }
}
