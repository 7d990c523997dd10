/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceIdsTest {
  private static final String VALID = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  @Test
  void aTraceparentIsReadAndWritten() {
    TraceIds ids = Objects.requireNonNull(TraceIds.parse("  " + VALID + " "));

    assertThat(ids).hasToString(VALID);
    assertThat(ids.traceId()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
    assertThat(ids.isSampled()).isTrue();
  }

  @Test
  void aLaterVersionMaySayMore() {
    assertThat(TraceIds.parse("01" + VALID.substring(2) + "-more")).isNotNull();
    assertThat(TraceIds.parse("01" + VALID.substring(2))).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
        "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0x",
        "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
      })
  void anythingElseIsNone(String text) {
    assertThat(TraceIds.parse(text)).isNull();
  }

  @Test
  void aChildIsBelowItsParentInTheSameTrace() {
    SplittableRandom random = new SplittableRandom(1);
    TraceIds root = TraceIds.root(random, false);
    TraceIds child = root.child(random);

    assertThat(root.parentId()).isZero();
    assertThat(child.parentId()).isEqualTo(root.spanId());
    assertThat(child.isSameTrace(root)).isTrue();
    assertThat(child.spanId()).isNotEqualTo(root.spanId());
    assertThat(child.isSampled()).isFalse();
  }
}
