/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.stitch.NameListener;
import dev.sennit.tracing.stitch.Stitcher;
import dev.sennit.tracing.stitch.StitcherCounts;
import dev.sennit.tracing.stitch.StitcherSettings;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Joins spans that nothing else joins, or lets them pass, by settings that may change while an
 * observation goes on. Counters go on when they do.
 */
final class Stitching implements Consumer<Span> {
  private static final StitcherCounts NONE = new StitcherCounts(0, 0, 0, 0, 0, 0, 0);

  private final Consumer<Span> next;
  private final NameListener names;
  private Optional<StitcherSettings> settings = Optional.empty();
  private @Nullable Stitcher stitcher;
  private StitcherCounts earlier = NONE;

  /**
   * @param names hears what traces are called
   */
  Stitching(Consumer<Span> next, NameListener names) {
    this.next = next;
    this.names = names;
  }

  /** Whether traces may be called otherwise in the end than they are at first. */
  boolean isOn() {
    return stitcher != null;
  }

  /** What is held goes on as far as it is joined by now. */
  void change(Optional<StitcherSettings> newSettings) {
    if (newSettings.equals(settings)) {
      return;
    }
    flush();
    earlier = counts();
    stitcher = newSettings.map(Stitcher::new).orElse(null);
    if (stitcher != null) {
      stitcher.tell(names);
    }
    settings = newSettings;
  }

  @Override
  public void accept(Span span) {
    if (stitcher == null) {
      next.accept(span);
    } else {
      stitcher.add(span, next);
    }
  }

  /**
   * Lets go of what was held for long enough.
   *
   * @param time in nanoseconds since 1970
   */
  void advance(long time) {
    if (stitcher != null) {
      stitcher.advance(time, next);
    }
  }

  void flush() {
    if (stitcher != null) {
      stitcher.flush(next);
    }
  }

  StitcherCounts counts() {
    StitcherCounts now = stitcher == null ? NONE : stitcher.counts();
    return new StitcherCounts(
        earlier.injected() + now.injected(),
        earlier.adopted() + now.adopted(),
        earlier.stitched() + now.stitched(),
        earlier.orphaned() + now.orphaned(),
        earlier.ambiguous() + now.ambiguous(),
        earlier.evicted() + now.evicted(),
        earlier.late() + now.late());
  }
}
