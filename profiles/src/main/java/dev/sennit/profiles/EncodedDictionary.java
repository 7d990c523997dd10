/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import static dev.sennit.profiles.ProtoCursor.LENGTH_DELIMITED;
import static dev.sennit.profiles.ProtoCursor.VARINT;
import static dev.sennit.profiles.ProtoCursor.tag;

import dev.sennit.profiles.proto.OtlpProtoFields.AnyValue;
import dev.sennit.profiles.proto.OtlpProtoFields.ArrayValue;
import dev.sennit.profiles.proto.OtlpProtoFields.Function;
import dev.sennit.profiles.proto.OtlpProtoFields.KeyValue;
import dev.sennit.profiles.proto.OtlpProtoFields.KeyValueAndUnit;
import dev.sennit.profiles.proto.OtlpProtoFields.KeyValueList;
import dev.sennit.profiles.proto.OtlpProtoFields.Line;
import dev.sennit.profiles.proto.OtlpProtoFields.Link;
import dev.sennit.profiles.proto.OtlpProtoFields.Location;
import dev.sennit.profiles.proto.OtlpProtoFields.Mapping;
import dev.sennit.profiles.proto.OtlpProtoFields.ProfilesDictionary;
import dev.sennit.profiles.proto.OtlpProtoFields.Stack;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An encoded dictionary, as the rules see it: read table by table and never held, so that a small
 * input cannot ask for much memory. If the field occurs several times, its tables are joined, as
 * protobuf merges messages.
 */
final class EncodedDictionary implements DictionaryView {
  private static final int MAX_DEPTH = 64;

  private final List<ProtoCursor> messages = new ArrayList<>();
  private final IntList list = new IntList();
  private final LocationEntry entry = new LocationEntry();

  void add(ProtoCursor message) {
    messages.add(message);
  }

  @Override
  public int size(Table table) throws MalformedProfileException {
    int size = 0;
    for (ProtoCursor message : messages) {
      ProtoCursor in = message.again();
      while (in.next()) {
        size += in.tag() == tagOf(table) ? 1 : 0;
        in.skip();
      }
    }
    return size;
  }

  @Override
  public void show(Table table, Visitor visitor) throws MalformedProfileException {
    int index = 0;
    for (ProtoCursor message : messages) {
      ProtoCursor in = message.again();
      while (in.next()) {
        if (in.tag() != tagOf(table)) {
          in.skip();
        } else if (table == Table.STRING) {
          visitor.string(index++, in.text());
        } else {
          showEntry(table, index, in.message(table.at(index)), visitor);
          index++;
        }
      }
    }
  }

  private void showEntry(Table table, int index, ProtoCursor in, Visitor visitor)
      throws MalformedProfileException {
    switch (table) {
      case ATTRIBUTE -> showAttribute(index, in, visitor);
      case MAPPING -> showMapping(index, in, visitor);
      case FUNCTION -> showFunction(index, in, visitor);
      case LOCATION -> showLocation(index, in, visitor);
      case LINK -> showLink(index, in, visitor);
      case STACK -> {
        list.clear();
        while (in.next()) {
          readInts(in, Stack.LOCATION_INDICES, list);
        }
        visitor.stack(index, list);
      }
      case STRING -> throw new IllegalArgumentException("strings are not messages");
    }
  }

  private static void showAttribute(int index, ProtoCursor in, Visitor visitor)
      throws MalformedProfileException {
    int key = 0;
    int unit = 0;
    String value = null;
    while (in.next()) {
      switch (in.tag()) {
        case KeyValueAndUnit.KEY_STRINDEX << 3 | VARINT -> key = in.int32();
        case KeyValueAndUnit.UNIT_STRINDEX << 3 | VARINT -> unit = in.int32();
        case KeyValueAndUnit.VALUE << 3 | LENGTH_DELIMITED ->
            value = value(in, string -> visitor.stringInAttribute(index, string));
        default -> in.skip();
      }
    }
    visitor.attribute(index, key, value, unit);
  }

  /** The value as text that is equal for equal encodings; null if nothing is set in it. */
  static @Nullable String value(ProtoCursor in, IntConsumer strings)
      throws MalformedProfileException {
    ProtoCursor value = in.message("value");
    boolean set = checkValue(value.again(), strings, 0);
    // The message once more, as its bytes.
    return set ? new String(value.content(), StandardCharsets.ISO_8859_1) : null;
  }

  private static boolean checkValue(ProtoCursor in, IntConsumer strings, int depth)
      throws MalformedProfileException {
    if (depth > MAX_DEPTH) {
      throw in.malformed("values are nested more than " + MAX_DEPTH + " deep");
    }
    boolean set = false;
    while (in.next()) {
      boolean known = in.tag() >>> 3 <= AnyValue.STRING_VALUE_STRINDEX;
      set |= known;
      switch (in.tag()) {
        case AnyValue.STRING_VALUE << 3 | LENGTH_DELIMITED -> in.text();
        case AnyValue.STRING_VALUE_STRINDEX << 3 | VARINT -> strings.accept(in.int32());
        case AnyValue.ARRAY_VALUE << 3 | LENGTH_DELIMITED -> {
          ProtoCursor array = in.message("array");
          while (array.next()) {
            if (array.tag() == tag(ArrayValue.VALUES, LENGTH_DELIMITED)) {
              checkValue(array.message("element"), strings, depth + 1);
            } else {
              array.skip();
            }
          }
        }
        case AnyValue.KVLIST_VALUE << 3 | LENGTH_DELIMITED -> {
          ProtoCursor entries = in.message("list");
          while (entries.next()) {
            if (entries.tag() == tag(KeyValueList.VALUES, LENGTH_DELIMITED)) {
              checkKeyValue(entries.message("entry"), strings, depth + 1);
            } else {
              entries.skip();
            }
          }
        }
        default -> in.skip();
      }
    }
    return set;
  }

  private static void checkKeyValue(ProtoCursor in, IntConsumer strings, int depth)
      throws MalformedProfileException {
    while (in.next()) {
      switch (in.tag()) {
        case KeyValue.KEY << 3 | LENGTH_DELIMITED -> in.text();
        case KeyValue.KEY_STRINDEX << 3 | VARINT -> strings.accept(in.int32());
        case KeyValue.VALUE << 3 | LENGTH_DELIMITED ->
            checkValue(in.message("value"), strings, depth);
        default -> in.skip();
      }
    }
  }

  private void showMapping(int index, ProtoCursor in, Visitor visitor)
      throws MalformedProfileException {
    long start = 0;
    long limit = 0;
    long offset = 0;
    int filename = 0;
    list.clear();
    while (in.next()) {
      switch (in.tag()) {
        case Mapping.MEMORY_START << 3 | VARINT -> start = in.varint();
        case Mapping.MEMORY_LIMIT << 3 | VARINT -> limit = in.varint();
        case Mapping.FILE_OFFSET << 3 | VARINT -> offset = in.varint();
        case Mapping.FILENAME_STRINDEX << 3 | VARINT -> filename = in.int32();
        default -> readInts(in, Mapping.ATTRIBUTE_INDICES, list);
      }
    }
    visitor.mapping(index, start, limit, offset, filename, list);
  }

  private static void showFunction(int index, ProtoCursor in, Visitor visitor)
      throws MalformedProfileException {
    int name = 0;
    int systemName = 0;
    int filename = 0;
    long startLine = 0;
    while (in.next()) {
      switch (in.tag()) {
        case Function.NAME_STRINDEX << 3 | VARINT -> name = in.int32();
        case Function.SYSTEM_NAME_STRINDEX << 3 | VARINT -> systemName = in.int32();
        case Function.FILENAME_STRINDEX << 3 | VARINT -> filename = in.int32();
        case Function.START_LINE << 3 | VARINT -> startLine = in.varint();
        default -> in.skip();
      }
    }
    visitor.function(index, name, systemName, filename, startLine);
  }

  private void showLocation(int index, ProtoCursor in, Visitor visitor)
      throws MalformedProfileException {
    entry.clear();
    while (in.next()) {
      switch (in.tag()) {
        case Location.MAPPING_INDEX << 3 | VARINT -> entry.mapping = in.int32();
        case Location.ADDRESS << 3 | VARINT -> entry.address = in.varint();
        case Location.LINES << 3 | LENGTH_DELIMITED -> readLine(in.message("line"));
        default -> readInts(in, Location.ATTRIBUTE_INDICES, entry.attributes);
      }
    }
    visitor.location(index, entry);
  }

  private void readLine(ProtoCursor in) throws MalformedProfileException {
    int function = 0;
    long line = 0;
    long column = 0;
    while (in.next()) {
      switch (in.tag()) {
        case Line.FUNCTION_INDEX << 3 | VARINT -> function = in.int32();
        case Line.LINE << 3 | VARINT -> line = in.varint();
        case Line.COLUMN << 3 | VARINT -> column = in.varint();
        default -> in.skip();
      }
    }
    entry.functions.add(function);
    entry.lines.add(line);
    entry.columns.add(column);
  }

  private static void showLink(int index, ProtoCursor in, Visitor visitor)
      throws MalformedProfileException {
    byte[] trace = {};
    byte[] span = {};
    while (in.next()) {
      switch (in.tag()) {
        case Link.TRACE_ID << 3 | LENGTH_DELIMITED -> trace = in.bytes();
        case Link.SPAN_ID << 3 | LENGTH_DELIMITED -> span = in.bytes();
        default -> in.skip();
      }
    }
    visitor.link(
        index, trace.length, span.length, number(trace, 0), number(trace, 8), number(span, 0));
  }

  private static long number(byte[] bytes, int offset) {
    return bytes.length < offset + Long.BYTES ? 0 : ByteBuffer.wrap(bytes).getLong(offset);
  }

  /** Reads a repeated int32, packed or not, if this is it; skips anything else. */
  static void readInts(ProtoCursor in, int field, IntList target) throws MalformedProfileException {
    if (in.tag() == tag(field, VARINT)) {
      target.add(in.int32());
    } else if (in.tag() == tag(field, LENGTH_DELIMITED)) {
      ProtoCursor packed = in.message("packed field " + field);
      while (packed.hasMore()) {
        target.add(packed.int32());
      }
    } else {
      in.skip();
    }
  }

  private static int tagOf(Table table) {
    int field =
        switch (table) {
          case STRING -> ProfilesDictionary.STRING_TABLE;
          case ATTRIBUTE -> ProfilesDictionary.ATTRIBUTE_TABLE;
          case MAPPING -> ProfilesDictionary.MAPPING_TABLE;
          case FUNCTION -> ProfilesDictionary.FUNCTION_TABLE;
          case LOCATION -> ProfilesDictionary.LOCATION_TABLE;
          case LINK -> ProfilesDictionary.LINK_TABLE;
          case STACK -> ProfilesDictionary.STACK_TABLE;
        };
    return tag(field, LENGTH_DELIMITED);
  }
}
