/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.web;

import java.io.IOException;

/** Something that the page is told of as it happens, by Server-Sent Events. */
public interface LiveView {
  /** The path below {@code /api/live/}. */
  String path();

  /**
   * Tells one listener, in a thread of its own, until there is no more to tell, or it is
   * interrupted, or sending fails because the listener has gone.
   *
   * @throws ViewException before anything is sent, if it is asked wrongly
   */
  void run(Query query, Events events) throws IOException, InterruptedException, ViewException;
}
