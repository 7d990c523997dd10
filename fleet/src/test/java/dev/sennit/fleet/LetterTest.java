/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

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
  void traceStateIsReadAsItWasWritten(
      @ForAll long high, @ForAll long root, @ForAll List<Long> spans, @ForAll long asker) {
    TraceState state = new TraceState(new TraceId(high, root), true);
    List<Long> first = new ArrayList<>();
    for (long span : spans) {
      if (state.add(span)) {
        first.add(span);
      }
    }
    state.stage = TraceState.Stage.BELOW;
    state.root = root;
    state.parent = high;
    state.due = root;
    state.askers.add(new TraceId(asker, asker));
    state.parts = spans.size();
    assertThat(state.hold(new byte[] {1, 2, 3})).isTrue();
    assertThat(state.hold(new byte[4096])).isFalse();

    TraceState read = TraceState.of(state.bytes(), true);
    assertThat(read.held).containsExactly(new byte[] {1, 2, 3});
    assertThat(read.parts).isEqualTo(spans.size());
    assertThat(read.bytes()).isEqualTo(state.bytes());
    assertThat(read.askers).isEqualTo(state.askers);
    assertThat(read.name).isEqualTo(state.name);
    assertThat(first).doesNotHaveDuplicates().allMatch(span -> !read.add(span));
  }
}
