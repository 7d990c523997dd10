/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.store.query.TraceDetail.PlacedSpan;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SpanTreeTest {
  private static SpanDetail span(String id, @Nullable String parent, long start) {
    return new SpanDetail(
        id, parent, "s", id, "SERVER", start, 1, "OK", null, null, null, null, 1, List.of(),
        List.of());
  }

  private static List<String> drawn(SpanDetail... spans) {
    return SpanTree.of(List.of(spans)).stream()
        .map(placed -> "-".repeat(placed.depth()) + placed.span().spanId())
        .toList();
  }

  @Test
  void childrenFollowTheirParentsByStart() {
    assertThat(drawn(span("c", "a", 3), span("d", "b", 4), span("b", "a", 2), span("a", null, 1)))
        .containsExactly("a", "-b", "--d", "-c");
  }

  @Test
  void aSpanWithoutItsParentIsARoot() {
    assertThat(drawn(span("b", "missing", 2), span("a", null, 1))).containsExactly("a", "b");
  }

  @Test
  void aSpanThatIsItsOwnParentIsARoot() {
    assertThat(drawn(span("a", "a", 1), span("b", "a", 2))).containsExactly("a", "-b");
  }

  @Test
  void ofACircleTheFirstIsTheRoot() {
    assertThat(drawn(span("b", "a", 2), span("a", "c", 1), span("c", "b", 3)))
        .containsExactly("a", "-b", "--c");
  }

  @Test
  void aChildThatStartsBeforeItsParentStillFollowsIt() {
    assertThat(drawn(span("child", "parent", 1), span("parent", null, 2)))
        .containsExactly("parent", "-child");
  }

  @Test
  void aChainOfTenThousandIsNoTrouble() {
    List<SpanDetail> chain = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      chain.add(span("s" + i, i == 0 ? null : "s" + (i - 1), i));
    }
    assertThat(SpanTree.of(chain).getLast().depth()).isEqualTo(9_999);
  }

  @Property(tries = 200)
  void everySpanIsThereOnceAfterItsParent(
      @ForAll @Size(max = 30) List<@IntRange(max = 30) Integer> parents) {
    List<SpanDetail> spans = new ArrayList<>();
    for (int i = 0; i < parents.size(); i++) {
      spans.add(span("s" + i, "s" + parents.get(i), i % 7));
      spans.add(span("s" + i, "s" + parents.get(i), i % 7));
    }
    List<PlacedSpan> placed = SpanTree.of(spans);
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < placed.size(); i++) {
      PlacedSpan one = placed.get(i);
      assertThat(seen.add(one.span().spanId())).isTrue();
      assertThat(one.parent()).isLessThan(i);
      if (one.parent() >= 0) {
        assertThat(placed.get(one.parent()).span().spanId()).isEqualTo(one.span().parentSpanId());
        assertThat(one.depth()).isEqualTo(placed.get(one.parent()).depth() + 1);
      }
    }
    assertThat(seen).hasSize(parents.size());
  }
}
