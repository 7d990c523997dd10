/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the metadata event: a table of texts, then a tree of elements, each with a name, attributes
 * and children, all texts by their index. Of the tree, {@code class} elements with their {@code
 * field} children are kept.
 *
 * <p>The limits are far above what any writer needs and keep a hostile file from filling the heap.
 */
final class MetadataParser {
  private static final int MOST_TYPES_AND_FIELDS = 200_000;
  private static final int MOST_ELEMENTS = 4_000_000;
  private static final int LONGEST_EVENT = 64 << 20;
  private static final int DEEPEST = 16;

  private final ChunkCursor cursor;
  private final JfrTypes types = new JfrTypes();
  private long[] textPositions = new long[0];
  private @Nullable String[] texts = new String[0];
  private int elements;
  private int kept;

  private MetadataParser(ChunkCursor cursor) {
    this.cursor = cursor;
  }

  /** Reads the event at {@code position}, unless {@code known} has read the same before. */
  static JfrTypes parse(ChunkCursor cursor, long position, KnownMetadata known)
      throws JfrFormatException {
    return new MetadataParser(cursor).parse(position, known);
  }

  private JfrTypes parse(long start, KnownMetadata known) throws JfrFormatException {
    cursor.seek(start);
    int size = cursor.readInt();
    long type = cursor.readLong();
    if (type != ChunkReader.METADATA_TYPE || size < 0 || size > cursor.end() - start) {
      throw cursor.error(
          start, "no metadata where the header says: an event of type " + type + ", size " + size);
    }
    if (size > LONGEST_EVENT) {
      throw cursor.error(start, "metadata of " + size + " bytes, more than " + LONGEST_EVENT);
    }
    cursor.readLong(); // start
    cursor.readLong(); // duration
    cursor.readLong(); // id
    MemorySegment content = cursor.slice(cursor.position(), start + size);
    @Nullable JfrTypes before = known.get(content);
    if (before != null) {
      return before;
    }
    int count = cursor.readCount("texts");
    textPositions = new long[count];
    texts = new String[count];
    for (int i = 0; i < count; i++) {
      textPositions[i] = cursor.position();
      cursor.skipString();
    }
    element(0, null);
    if (cursor.position() > start + size) {
      throw cursor.error(start, "metadata goes on after its " + size + " bytes");
    }
    known.put(content, types);
    return types;
  }

  /**
   * Reads an element and all below it.
   *
   * @param owner takes the element if it is a field
   */
  private void element(int depth, @Nullable List<JfrType.Field> owner) throws JfrFormatException {
    if (depth > DEEPEST || ++elements > MOST_ELEMENTS) {
      throw cursor.error("metadata with more than " + DEEPEST + " levels or too many elements");
    }
    int name = cursor.readInt();
    boolean isClass = textIs(name, "class");
    boolean isField = owner != null && textIs(name, "field");
    if ((isClass || isField) && ++kept > MOST_TYPES_AND_FIELDS) {
      throw cursor.error("more than " + MOST_TYPES_AND_FIELDS + " types and fields");
    }
    long at = cursor.position();
    Attributes attributes = isClass || isField ? new Attributes() : null;
    int count = cursor.readCount("attributes");
    for (int i = 0; i < count; i++) {
      int key = cursor.readInt();
      int value = cursor.readInt();
      if (attributes != null) {
        attributes.set(text(key), value);
      }
    }
    List<JfrType.Field> fields = isClass ? new ArrayList<>() : null;
    int children = cursor.readCount("elements");
    for (int i = 0; i < children; i++) {
      element(depth + 1, fields);
    }
    if (attributes == null) {
      return;
    }
    if (fields != null) {
      types.add(
          new JfrType(
              number(at, attributes.id),
              text(attributes.name),
              text(attributes.superType),
              fields));
    } else if (owner != null) {
      owner.add(
          new JfrType.Field(
              text(attributes.name),
              number(at, attributes.type),
              text(attributes.constantPool).equals("true"),
              isDimension(text(attributes.dimension))));
    }
  }

  private static boolean isDimension(String text) {
    return !text.isEmpty() && !text.equals("0");
  }

  /** Indices of texts; -1 for an attribute that is not there. */
  private static final class Attributes {
    int id = -1;
    int name = -1;
    int superType = -1;
    int type = -1;
    int constantPool = -1;
    int dimension = -1;

    void set(String key, int value) {
      switch (key) {
        case "id" -> id = value;
        case "name" -> name = value;
        case "superType" -> superType = value;
        case "class" -> type = value;
        case "constantPool" -> constantPool = value;
        case "dimension" -> dimension = value;
        default -> {}
      }
    }
  }

  private boolean textIs(int index, String expected) throws JfrFormatException {
    return text(index).equals(expected);
  }

  private long number(long at, int index) throws JfrFormatException {
    String text = text(index);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw cursor.error(at, "\"" + shortened(text) + "\" where metadata has the number of a type");
    }
  }

  private static String shortened(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40) + "...";
  }

  /** Texts are decoded when asked for: most are labels and descriptions that nobody reads. */
  private String text(int index) throws JfrFormatException {
    if (index == -1) {
      return "";
    }
    if (index < 0 || index >= texts.length) {
      throw cursor.error("text " + index + " of metadata that has " + texts.length);
    }
    @Nullable String known = texts[index];
    if (known != null) {
      return known;
    }
    long here = cursor.position();
    cursor.seek(textPositions[index]);
    @Nullable String read = cursor.readString(ChunkCursor.TextConstants.NONE);
    cursor.seek(here);
    String text = read == null ? "" : read;
    texts[index] = text;
    return text;
  }
}
