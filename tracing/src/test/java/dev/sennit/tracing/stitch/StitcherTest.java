/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import static dev.sennit.tracing.stitch.TestSpan.client;
import static dev.sennit.tracing.stitch.TestSpan.server;
import static dev.sennit.tracing.stitch.TestSpan.time;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.span.Span.Link;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StitcherTest {
  private final Stitcher stitcher = new Stitcher(StitcherSettings.defaults());
  private final List<Span> out = new ArrayList<>();

  private void add(TestSpan... spans) {
    for (TestSpan span : spans) {
      stitcher.add(span.make(), out::add);
    }
  }

  private void advance(double millis) {
    stitcher.advance(time(millis), out::add);
  }

  private Span span(long id) {
    return out.stream().filter(span -> span.ids().spanId() == id).findFirst().orElseThrow();
  }

  private void assertPlace(long span, long trace, long parent) {
    assertThat(span(span).ids().traceLow()).as("trace of %s", span).isEqualTo(trace);
    assertThat(span(span).ids().parentId()).as("parent of %s", span).isEqualTo(parent);
  }

  @Test
  void aServerSpanIsPutBelowTheClientSpanOfItsConnection() {
    add(server(2).connection(1).at(1, 9), client(1, 11).root().connection(1).at(0, 10));
    advance(1010);
    assertPlace(2, 1, 11);
    assertThat(span(2).link()).isEqualTo(Link.STITCHED);
    assertThat(stitcher.counts()).isEqualTo(new StitcherCounts(0, 0, 1, 0, 0, 0, 0));
  }

  @Test
  void whatHangsBelowTheServerSpanGetsItsTrace() {
    add(
        server(22).parent(2, 21).link(Link.INJECTED).connection(2).at(3, 6),
        client(2, 21).link(Link.INJECTED).connection(2).at(2, 7),
        server(2).connection(1).at(1, 9),
        client(1, 11).root().connection(1).at(0, 10));
    advance(1010);
    assertPlace(22, 1, 21);
    assertPlace(21, 1, 2);
    assertThat(span(22).link()).isEqualTo(Link.INJECTED);
  }

  @Test
  void aChainOfStitchesEndsInOneTrace() {
    add(
        server(3).connection(2).at(3, 6),
        client(2, 21).connection(2).at(2, 7),
        server(2).connection(1).at(1, 9),
        client(1, 11).connection(1).at(0.5, 10),
        server(1).connection(0).at(0, 100));
    advance(1099);
    assertThat(out).isEmpty();
    advance(1100);
    assertPlace(3, 1, 21);
    assertPlace(21, 1, 2);
    assertPlace(2, 1, 11);
    assertPlace(1, 1, 0);
    assertThat(span(1).link()).isEqualTo(Link.NONE);
  }

  @Test
  void whatIsKnownToBeginElsewherePassesAtOnce() {
    add(client(1, 11).root().at(0, 10), server(12).parent(1, 11).link(Link.INJECTED).at(1, 9));
    add(server(22).parent(2, 21).link(Link.ADOPTED).at(1, 9), client(2, 23).at(2, 3));
    assertThat(out).hasSize(4);
    assertThat(stitcher.held()).isZero();
    assertThat(stitcher.counts()).isEqualTo(new StitcherCounts(1, 1, 0, 0, 0, 0, 0));
  }

  @Test
  void whatComesLateIsRenamedLikeTheRest() {
    add(server(2).connection(1).at(1, 9), client(1, 11).root().connection(1).at(0, 10));
    advance(1010);
    add(client(2, 21).connection(5).at(2, 3));
    assertPlace(21, 1, 2);
    assertThat(stitcher.counts().late()).isOne();
  }

  @Test
  void withoutAnotherSideItKeepsItsTraceWhenTheWindowIsOver() {
    add(client(2, 21).at(2, 3), server(2).connection(1).at(1, 9));
    advance(1008);
    assertThat(out).isEmpty();
    advance(1009);
    assertPlace(2, 2, 0);
    assertPlace(21, 2, 2);
    assertThat(stitcher.counts().orphaned()).isOne();
  }

  @Test
  void aTraceThatNeverShowsItsRootIsNotHeldForEver() {
    add(client(2, 21).at(2, 3));
    advance(4900);
    assertThat(out).isEmpty();
    advance(5100);
    assertPlace(21, 2, 2);
    add(server(2).at(1, 5200));
    assertPlace(2, 2, 0);
    assertThat(stitcher.counts().late()).isOne();
  }

  @Test
  void onAKeptConnectionTimeTellsWhichExchangeItWas() {
    for (int i = 0; i < 10; i++) {
      add(client(1, 100 + i).root().connection(1).at(i * 10, i * 10 + 5));
      if (i != 4) {
        add(server(200 + i).connection(1).at(i * 10 + 1, i * 10 + 4));
      }
    }
    advance(2000);
    for (int i = 0; i < 10; i++) {
      if (i != 4) {
        assertPlace(200 + i, 1, 100 + i);
      }
    }
  }

  @Test
  void clocksOfHostsMayDiffer() {
    double[] gaps = {11, 17, 13, 29, 16, 23, 12, 19, 14, 31, 18, 15};
    double begin = 0;
    for (int i = 0; i < gaps.length; i++) {
      begin += gaps[i];
      if (i != 6) {
        add(client(1, 100 + i).root().on("a").connection(1).at(begin, begin + 5));
      }
      if (i != 7) {
        add(server(200 + i).on("b").connection(1).at(begin + 13.5, begin + 17.5));
      }
    }
    advance(3000);
    for (int i = 0; i < gaps.length; i++) {
      if (i != 6 && i != 7) {
        assertPlace(200 + i, 1, 100 + i);
      }
    }
    assertPlace(206, 206, 0);
  }

  @Test
  void manyRequestsAtOnceOnOneConnectionAreAlignedInTheirOrder() {
    for (int i = 0; i < 4; i++) {
      add(client(1, 100 + i).root().protocol("grpc").connection(1).at(i * 0.1, 50 + i * 0.1));
      add(server(200 + i).protocol("grpc").connection(1).at(i * 0.1 + 0.05, 49.9 + i * 0.1));
    }
    advance(2000);
    for (int i = 0; i < 4; i++) {
      assertPlace(200 + i, 1, 100 + i);
    }
  }

  @Test
  void ofTwoThatItMayBeNoneIsGuessed() {
    add(client(1, 11).root().between("10.0.0.1", 1, "10.96.0.1", 80).at(0, 10));
    add(client(3, 31).root().between("10.0.0.1", 2, "10.96.0.1", 80).at(0, 10));
    add(server(2).between("192.168.0.1", 3, "10.0.0.2", 8080).at(1, 9));
    advance(2000);
    assertPlace(2, 2, 0);
    assertThat(stitcher.counts().ambiguous()).isOne();
  }

  @Test
  void theTextOfAQueryTellsThemApart() {
    String key = "db.query.text";
    String sql = "SELECT ? FROM ";
    add(
        client(1, 11).root().between("10.0.0.1", 1, "10.96.0.1", 5432).at(0, 10),
        client(3, 31).root().between("10.0.0.1", 2, "10.96.0.1", 5432).at(0, 10),
        server(2).between("192.168.0.1", 3, "10.0.0.2", 5432).at(1, 9),
        server(4).between("192.168.0.1", 4, "10.0.0.2", 5432).at(1, 9));
    stitcher.flush(out::add);
    assertThat(stitcher.counts().ambiguous()).isEqualTo(2);
    out.clear();
    add(
        client(5, 51).root().between("10.0.0.1", 1, "10.96.0.1", 5432).at(0, 10).with(key, sql),
        client(6, 61).root().between("10.0.0.1", 2, "10.96.0.1", 5432).at(0, 10).with(key, "?"),
        server(7).between("192.168.0.1", 3, "10.0.0.2", 5432).at(1, 9).with(key, sql),
        server(8).between("192.168.0.1", 4, "10.0.0.2", 5432).at(1, 9).with(key, "?"));
    stitcher.flush(out::add);
    assertPlace(7, 5, 51);
    assertPlace(8, 6, 61);
  }

  @Test
  void anotherMethodOrPathIsAnotherExchange() {
    add(
        client(1, 11).root().connection(1).at(0, 10).with("url.full", "http://b/one?q"),
        server(2).connection(1).at(1, 9).with("url.path", "/two"));
    add(
        client(1, 12).root().connection(2).at(0, 10).with("url.full", "http://b/one?q"),
        server(3).connection(2).at(1, 9).with("url.path", "/one"));
    advance(2000);
    assertPlace(2, 2, 0);
    assertPlace(3, 1, 12);
  }

  @Test
  void theLoopbackOfAnotherHostIsAnotherConnection() {
    add(client(1, 11).root().on("a").between("127.0.0.1", 1, "127.0.0.1", 2).at(0, 10));
    add(client(4, 41).root().on("b").between("127.0.0.1", 1, "127.0.0.1", 2).at(0, 10));
    add(server(2).on("b").between("127.0.0.1", 1, "127.0.0.1", 2).at(1, 9));
    advance(2000);
    assertPlace(2, 4, 41);
  }

  @Test
  void nothingIsPutBelowWhatHangsBelowIt() {
    add(client(2, 21).connection(1).at(0, 10), server(2).connection(1).at(0, 10));
    advance(2000);
    assertPlace(2, 2, 0);
    assertPlace(21, 2, 2);
    assertThat(stitcher.counts().ambiguous()).isOne();
  }

  @Test
  void ifTooManyAreHeldTheOldestGoUnchanged() {
    Stitcher small = new Stitcher(StitcherSettings.defaults().withHeldSpans(2));
    small.add(client(1, 11).connection(1).at(0, 10).make(), out::add);
    small.add(server(2).connection(1).at(1, 9).make(), out::add);
    assertThat(out).isEmpty();
    small.add(server(3).connection(3).at(1, 9).make(), out::add);
    assertPlace(11, 1, 1);
    assertThat(small.counts().evicted()).isOne();
    small.flush(out::add);
    assertPlace(2, 1, 11);
    assertThat(out).hasSize(3);
  }
}
