/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.testing;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An object of JSON, as far as a browser's messages need it: objects and text, no arrays. */
final class JsonObject {
  private static final JsonFactory JSON = new JsonFactory();

  private final String whole;
  private final Map<String, JsonObject> objects = new HashMap<>();
  private final Map<String, String> texts = new HashMap<>();

  private JsonObject(String whole) {
    this.whole = whole;
  }

  static JsonObject parse(String text) {
    try (JsonParser in = JSON.createParser(text)) {
      in.nextToken();
      return read(in, text);
    } catch (IOException e) {
      throw new AssertionError(text, e);
    }
  }

  private static JsonObject read(JsonParser in, String whole) throws IOException {
    JsonObject object = new JsonObject(whole);
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String name = in.currentName();
      switch (in.nextToken()) {
        case START_OBJECT -> object.objects.put(name, read(in, whole));
        case START_ARRAY -> in.skipChildren();
        default -> object.texts.put(name, in.getText());
      }
    }
    return object;
  }

  boolean has(String name) {
    return objects.containsKey(name) || texts.containsKey(name);
  }

  /** A member that is an object; without members of its own if there is none. */
  JsonObject object(String name) {
    return objects.getOrDefault(name, new JsonObject("{}"));
  }

  /** A member that is text, a number or a truth value. */
  String text(String name) {
    @Nullable String text = texts.get(name);
    if (text == null) {
      throw new AssertionError("no " + name + " in " + whole);
    }
    return text;
  }

  static String quoted(String text) {
    return '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }

  /** The whole message that it is part of. */
  @Override
  public String toString() {
    return whole;
  }
}
