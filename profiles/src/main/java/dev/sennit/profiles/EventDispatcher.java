/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.profiles.jfr.EventLayout;
import dev.sennit.profiles.jfr.EventVisitor;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gives each event to whoever asked for it. All passes over events go through this class: the JVM
 * would compile them anew for another.
 */
final class EventDispatcher implements EventVisitor {
  private final Map<EventLayout, EventBatch> batches;
  private final Map<EventLayout, EventVisitor> visitors;

  /** Mostly an event is of the same type as the one before. */
  private @Nullable EventLayout last;

  private @Nullable EventBatch ofLast;

  EventDispatcher(Map<EventLayout, EventBatch> batches, Map<EventLayout, EventVisitor> visitors) {
    this.batches = batches;
    this.visitors = visitors;
  }

  @Override
  public void event(EventLayout event) throws IOException {
    if (event != last) {
      last = event;
      ofLast = batches.get(event);
    }
    if (ofLast != null) {
      ofLast.take();
    } else {
      visit(event);
    }
  }

  private void visit(EventLayout event) throws IOException {
    @Nullable EventVisitor visitor = visitors.get(event);
    if (visitor != null) {
      visitor.event(event);
    }
  }
}
