/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.io.IOException;

/** Takes the events of a chunk, one after another in the order of the file. */
@FunctionalInterface
public interface EventVisitor {
  /**
   * Called for each event of a type that was subscribed to.
   *
   * @param event what {@link ChunkReader#subscribe} returned, filled in; valid during the call
   */
  void event(EventLayout event) throws IOException;
}
