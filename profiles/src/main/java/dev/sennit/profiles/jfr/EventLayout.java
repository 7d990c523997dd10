/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.util.List;

/** The fields that were asked for of one type of events, filled in for one event after another. */
public final class EventLayout extends FieldValues {
  private final String eventName;
  private final boolean several;

  EventLayout(ChunkReader reader, String eventName, List<String> names, boolean several) {
    super(reader, names);
    this.eventName = eventName;
    this.several = several;
  }

  public String eventName() {
    return eventName;
  }

  void readEvent(FieldProgram program, Shape shape, ChunkCursor cursor) throws JfrFormatException {
    if (several) {
      clear();
      take(shape);
    }
    read(program, cursor);
  }
}
