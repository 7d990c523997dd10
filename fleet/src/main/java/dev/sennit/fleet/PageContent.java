/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.sennit.fleet.RawRequest.Placed;
import dev.sennit.intake.Encoding;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What is written on a page of the log of traces that wait.
 *
 * <pre>
 *   version 1 | time 8 | where the places begin 4
 *   number of traces 4, of each: what is said 1 | trace 16 | its news, if it waits
 *   number of places 4, of each: encoding 1 | length 4, resource | length 4, scope
 *   number of spans 4,  of each: place 4 | length 4, span
 * </pre>
 */
final class PageContent {
  static final int HEAD = 1 + Long.BYTES + Integer.BYTES;

  /** What is said of a trace. */
  static final byte NEWS = 0;

  static final byte WHOLE = 1;
  static final byte ENDED = 2;

  /** What spans of one scope of one host have in common, and how they came. */
  record Place(Encoding encoding, ByteString resource, ByteString scope) {
    int size() {
      return 1 + 2 * Integer.BYTES + resource.size() + scope.size();
    }

    void write(ByteBuffer out) {
      out.put(ParcelSerdes.code(encoding)).putInt(resource.size());
      resource.copyTo(out);
      out.putInt(scope.size());
      scope.copyTo(out);
    }
  }

  /** Is told what a page says of traces. */
  interface Reader {
    /** Answers what is known of a trace; it learns more then. */
    TraceState news(TraceId trace);

    /** Likewise, but nothing counts that was said before. */
    TraceState whole(TraceId trace);

    /** It waits no longer. */
    void ended(TraceId trace);
  }

  private final byte[] page;
  private final ByteString whole;
  private final Place[] places;
  private final int[] placeOf;
  private final int[] beginOf;
  private final int[] lengthOf;

  PageContent(byte[] page) {
    this.page = page;
    whole = UnsafeByteOperations.unsafeWrap(page);
    ByteBuffer in = ParcelSerdes.open(page);
    in.position(in.getInt(HEAD - Integer.BYTES));
    places = new Place[in.getInt()];
    for (int i = 0; i < places.length; i++) {
      places[i] = new Place(ParcelSerdes.encoding(in.get()), slice(in), slice(in));
    }
    int spans = in.getInt();
    placeOf = new int[spans];
    beginOf = new int[spans];
    lengthOf = new int[spans];
    for (int i = 0; i < spans; i++) {
      placeOf[i] = in.getInt();
      lengthOf[i] = in.getInt();
      beginOf[i] = in.position();
      in.position(beginOf[i] + lengthOf[i]);
    }
  }

  private ByteString slice(ByteBuffer in) {
    int length = in.getInt();
    int begin = in.position();
    in.position(begin + length);
    return whole.substring(begin, begin + length);
  }

  long time() {
    return ParcelSerdes.open(page).getLong();
  }

  Encoding encoding(int span) {
    return places[placeOf[span]].encoding;
  }

  Placed span(int span) {
    Place place = places[placeOf[span]];
    int begin = beginOf[span];
    return new Placed(place.resource, place.scope, whole.substring(begin, begin + lengthOf[span]));
  }

  /** The traces that waited when the page was written, as far as it tells of them. */
  List<TraceId> waiting(WaitingPage of) {
    List<TraceId> waiting = new ArrayList<>();
    traces(
        of,
        new Reader() {
          @Override
          public TraceState news(TraceId trace) {
            waiting.add(trace);
            return new TraceState(trace);
          }

          @Override
          public TraceState whole(TraceId trace) {
            return news(trace);
          }

          @Override
          public void ended(TraceId trace) {}
        });
    return waiting;
  }

  /** Says what the page says of traces. */
  void traces(WaitingPage of, Reader reader) {
    ByteBuffer in = ByteBuffer.wrap(page).position(HEAD);
    for (int left = in.getInt(); left > 0; left--) {
      byte said = in.get();
      TraceId trace = TraceId.read(in);
      switch (said) {
        case NEWS -> reader.news(trace).readNews(in, of);
        case WHOLE -> reader.whole(trace).readNews(in, of);
        default -> reader.ended(trace);
      }
    }
  }
}
