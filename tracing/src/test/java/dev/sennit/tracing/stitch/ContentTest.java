/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.otlp.AttributeValue;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContentTest {
  private static Content of(String key, String value) {
    return Content.of(Map.of(key, AttributeValue.of(value)));
  }

  @ParameterizedTest
  @CsvSource({
    "http://host:80/a/b?c=d, /a/b",
    "https://host/a#b, /a",
    "http://host, /",
    "http://host?c=d, /",
    "/a/b, /a/b"
  })
  void theUrlOfTheClientHasThePathOfTheServer(String full, String path) {
    assertThat(of("url.full", full)).isEqualTo(of("url.path", path));
  }

  @Test
  void whatOneSideDoesNotKnowIsNoContradiction() {
    assertThat(of("url.path", "/a").agrees(Content.of(Map.of()))).isTrue();
    assertThat(of("url.path", "/a").agrees(of("url.path", "/b"))).isFalse();
    assertThat(of("db.operation.name", "GET").agrees(of("db.operation.name", "SET"))).isFalse();
    assertThat(of("dns.question.name", "a").agrees(of("dns.question.name", "b"))).isFalse();
  }

  @Test
  void theTextOfAQueryMayBeCutOnOneSide() {
    assertThat(of("db.query.text", "SELECT ?").agrees(of("db.query.text", "SEL"))).isTrue();
  }
}
