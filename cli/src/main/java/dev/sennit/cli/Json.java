/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;

/**
 * Makes one JSON document, in one line. Everything but ASCII is escaped, so that neither the locale
 * nor a terminal can come between.
 */
final class Json {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private Json() {}

  /** What writes a value, or the members of an object. */
  @FunctionalInterface
  interface Content {
    void write(JsonGenerator json) throws IOException;
  }

  static String object(Content members) {
    return value(
        json -> {
          json.writeStartObject();
          members.write(json);
          json.writeEndObject();
        });
  }

  static String value(Content content) {
    StringWriter text = new StringWriter();
    try {
      write(text, content);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return text.toString();
  }

  /** Writes a document that may be larger than memory. */
  static void write(Writer out, Content content) throws IOException {
    // Closing the generator must not close what others still write to.
    try (JsonGenerator json =
        FACTORY.createGenerator(out).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)) {
      content.write(json);
    }
  }
}
