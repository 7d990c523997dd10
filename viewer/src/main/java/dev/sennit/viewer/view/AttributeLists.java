/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/** Attributes as the page shows them: in their order, each value as text. */
final class AttributeLists {
  private static final JsonFactory JSON = new JsonFactory();

  private AttributeLists() {}

  /**
   * Writes a list. Numbers are text, too: a script would round those of 64 bits.
   *
   * @param attributes an object of JSON
   */
  static void write(JsonGenerator out, String name, @Nullable String attributes)
      throws IOException {
    out.writeArrayFieldStart(name);
    if (attributes != null) {
      try (JsonParser in = JSON.createParser(attributes)) {
        in.nextToken();
        while (in.nextToken() == JsonToken.FIELD_NAME) {
          out.writeStartObject();
          out.writeStringField("key", in.currentName());
          out.writeStringField("value", text(in));
          out.writeEndObject();
        }
      }
    }
    out.writeEndArray();
  }

  private static String text(JsonParser in) throws IOException {
    if (!in.nextToken().isStructStart()) {
      return in.getText();
    }
    StringWriter text = new StringWriter();
    try (JsonGenerator nested = JSON.createGenerator(text)) {
      nested.copyCurrentStructure(in);
    }
    return text.toString();
  }
}
