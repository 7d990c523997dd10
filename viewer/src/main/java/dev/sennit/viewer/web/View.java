/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.web;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** Something that the page asks for: a document of JSON at a path of its own. */
public interface View {
  /** The path below {@code /api/}, such as {@code traces} or {@code traces/{id}}. */
  String path();

  /**
   * Writes one value. May be called by many threads at the same time.
   *
   * @throws ViewException if what is asked for is not there, or is asked wrongly
   */
  void write(Query query, JsonGenerator out) throws IOException, ViewException;
}
