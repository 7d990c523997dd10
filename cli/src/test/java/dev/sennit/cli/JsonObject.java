/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A JSON object read back, whose members are of the kind asked for or fail the test. */
record JsonObject(Map<String, @Nullable Object> members) {
  private static final JsonFactory FACTORY = new JsonFactory();

  /** Parses a text that is one object and nothing else. */
  static JsonObject parse(String text) {
    try (JsonParser parser = FACTORY.createParser(text)) {
      parser.nextToken();
      if (!(value(parser) instanceof JsonObject object) || parser.nextToken() != null) {
        throw new AssertionError("not one JSON object and nothing else: " + text);
      }
      return object;
    } catch (IOException e) {
      throw new AssertionError("not JSON: " + text, e);
    }
  }

  String text(String name) {
    return member(name, String.class);
  }

  long number(String name) {
    return member(name, Long.class);
  }

  boolean flag(String name) {
    return member(name, Boolean.class);
  }

  JsonObject object(String name) {
    return member(name, JsonObject.class);
  }

  List<JsonObject> objects(String name) {
    return ((List<?>) member(name, List.class)).stream().map(JsonObject.class::cast).toList();
  }

  boolean isNull(String name) {
    return members.containsKey(name) && members.get(name) == null;
  }

  private <T> T member(String name, Class<T> type) {
    @Nullable Object value = members.get(name);
    if (!type.isInstance(value)) {
      throw new AssertionError(name + " is no " + type.getSimpleName() + " in " + members);
    }
    return type.cast(value);
  }

  private static @Nullable Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          parser.nextToken();
          members.put(name, value(parser));
        }
        yield new JsonObject(members);
      }
      case START_ARRAY -> {
        List<@Nullable Object> array = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          array.add(value(parser));
        }
        yield array;
      }
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT -> parser.getLongValue();
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> throw new AssertionError("unexpected " + parser.currentToken());
    };
  }

  @Override
  public String toString() {
    return members.toString();
  }
}
