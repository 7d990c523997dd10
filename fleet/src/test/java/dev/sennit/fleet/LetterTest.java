/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class LetterTest {
  @Property
  void lettersArriveAsTheyWereWritten(
      @ForAll long high, @ForAll long low, @ForAll long other, @ForAll long span) {
    TraceId to = new TraceId(high, low);
    TraceId another = new TraceId(low, other);
    List<Letter> letters =
        List.of(
            new Letter.Found(to, another, span),
            new Letter.NotFound(to),
            new Letter.Ask(to, another),
            new Letter.Named(to, another));
    var serde = ParcelSerdes.letters();
    byte[] bytes = serde.serializer().serialize("topic", new Parcel.Letters(letters));
    assertThat(serde.deserializer().deserialize("topic", bytes).letters()).isEqualTo(letters);
  }

  @Property
  void whatIsRememberedOfANamedTraceIsReadAsItWasWritten(
      @ForAll long high, @ForAll long root, @ForAll List<Long> spans, @ForAll long name) {
    TraceState state = new TraceState(new TraceId(high, root));
    List<Long> first = new ArrayList<>();
    for (long span : spans) {
      if (state.spans.add(span)) {
        first.add(span);
      }
    }
    state.stage = TraceState.Stage.NAMED;
    state.name = new TraceId(name, name);
    state.root = root;
    state.parent = high;
    state.touched = name;

    TraceState read = TraceState.of(state.trace, state.bytes());
    assertThat(read)
        .extracting(t -> t.stage, t -> t.name, t -> t.root, t -> t.parent, t -> t.touched)
        .containsExactly(state.stage, state.name, state.root, state.parent, state.touched);
    assertThat(first).doesNotHaveDuplicates().allMatch(span -> !read.spans.add(span));
  }

  @Property
  void ofManySpansTheLatestAreKnown(@ForAll @IntRange(min = 1, max = 3000) int many) {
    SpanIds ids = new SpanIds();
    for (int i = 0; i < many; i++) {
      ids.add(i);
    }
    ByteBuffer out = ByteBuffer.allocate(ids.size(0));
    ids.write(out, 0);
    SpanIds read = new SpanIds();
    read.read(out.flip());
    for (int i = Math.max(0, many - SpanIds.MOST); i < many; i++) {
      assertThat(ids.add(i)).isFalse();
      assertThat(read.add(i)).isFalse();
    }
    assertThat(ids.add(-1)).isTrue();
  }
}
