/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.web;

import java.io.IOException;

/** Something of the page that is taken along as a file. */
public interface Download {
  /** The path below {@code /api/}, such as {@code traces/{id}/export}. */
  String path();

  /**
   * Makes the file. May be called by many threads at the same time.
   *
   * @throws ViewException if what is asked for is not there, or is asked wrongly
   */
  Content content(Query query) throws IOException, ViewException;

  /**
   * A file.
   *
   * @param name under which a browser keeps it
   * @param type its media type
   */
  @SuppressWarnings("ArrayRecordComponent") // handed on once, never compared
  record Content(String name, String type, byte[] bytes) {}
}
