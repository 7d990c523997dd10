/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import com.google.protobuf.ByteString;
import dev.sennit.fleet.PageContent.Place;
import dev.sennit.fleet.RawRequest.Placed;
import dev.sennit.fleet.TraceState.Stage;
import dev.sennit.intake.Encoding;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A page of the log of traces that wait, while it is written. */
final class PageDraft {
  /** Far below what brokers take as one record by default. */
  private static final int LARGE = 256 * 1024;

  private static final int MANY = 4096;

  private record Span(int place, ByteString bytes) {}

  final WaitingPage page;
  private final Set<TraceState> traces = new LinkedHashSet<>();
  private final List<TraceId> ended = new ArrayList<>();
  private final List<Span> spans = new ArrayList<>();
  private final Map<Place, Integer> places = new HashMap<>();
  private final List<Place> placesInOrder = new ArrayList<>();
  private int size;

  /** Nearly; what is added to a trace after it was named here is not counted. */
  private int sizeOfNews;

  private @Nullable Place last;
  private int lastIndex;

  PageDraft(WaitingPage page) {
    this.page = page;
  }

  boolean isLarge() {
    return size + sizeOfNews > LARGE || traces.size() + ended.size() >= MANY;
  }

  /** Says of a trace that waits what is new, as it is in the end. */
  void changed(TraceState state) {
    if (traces.add(state)) {
      sizeOfNews += state.sizeOfNews(page);
    }
  }

  /** Says that a trace waits no longer, of which another page may say that it does. */
  void ended(TraceId trace) {
    ended.add(trace);
  }

  /** Answers which span of the page it is. */
  int add(Encoding encoding, Placed placed) {
    spans.add(new Span(place(encoding, placed), placed.span()));
    size += placed.span().size();
    return spans.size() - 1;
  }

  @SuppressWarnings("ReferenceEquality") // others are found by what they are
  private int place(Encoding encoding, Placed placed) {
    // Spans that stand together come together.
    if (last == null
        || last.encoding() != encoding
        || last.resource() != placed.resource()
        || last.scope() != placed.scope()) {
      last = new Place(encoding, placed.resource(), placed.scope());
      Integer known = places.putIfAbsent(last, placesInOrder.size());
      lastIndex = known == null ? placesInOrder.size() : known;
      if (known == null) {
        placesInOrder.add(last);
        size += last.size();
      }
    }
    return lastIndex;
  }

  byte[] bytes() {
    traces.removeIf(state -> state.stage == Stage.NAMED);
    int sizeOfTraces = Integer.BYTES + (traces.size() + ended.size()) * (1 + TraceId.LENGTH);
    for (TraceState state : traces) {
      sizeOfTraces += state.sizeOfNews(page);
    }
    ByteBuffer out =
        ByteBuffer.allocate(
            PageContent.HEAD
                + sizeOfTraces
                + 2 * Integer.BYTES
                + size
                + spans.size() * 2 * Integer.BYTES);
    ParcelSerdes.begin(out).putLong(page.time).putInt(PageContent.HEAD + sizeOfTraces);
    writeTraces(out);
    out.putInt(placesInOrder.size());
    placesInOrder.forEach(place -> place.write(out));
    out.putInt(spans.size());
    for (Span span : spans) {
      out.putInt(span.place).putInt(span.bytes.size());
      span.bytes.copyTo(out);
    }
    return out.array();
  }

  private void writeTraces(ByteBuffer out) {
    out.putInt(traces.size() + ended.size());
    ended.forEach(trace -> trace.write(out.put(PageContent.ENDED)));
    for (TraceState state : traces) {
      boolean isFirst = state.pages.getFirst() == page;
      state.trace.write(out.put(isFirst ? PageContent.WHOLE : PageContent.NEWS));
      state.writeNews(out, page);
    }
    page.traces = traces.size();
  }
}
