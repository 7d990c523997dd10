/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The wanted fields of an event or a constant, by their place in the list that was asked for. One
 * object serves all values of a type: what it shows is gone with the next one.
 */
public abstract sealed class FieldValues permits EventLayout, Pool {
  private final ChunkReader reader;
  private final List<String> names;
  private final boolean[] known;
  private final long[] values;
  private Shape shape;

  FieldValues(ChunkReader reader, List<String> names) {
    this.reader = reader;
    this.names = names;
    this.known = new boolean[names.size()];
    this.values = new long[names.size()];
    this.shape = new Shape(names.size());
  }

  /** What the fields asked for are in one of the types that have the same name. */
  static final class Shape {
    private final @Nullable FieldKind[] kinds;
    private final long[] types;

    private Shape(int size) {
      kinds = new FieldKind[size];
      types = new long[size];
    }
  }

  /** Finds the fields in {@code type}, and takes its shape. */
  final Shape describe(JfrType type) {
    Shape described = new Shape(names.size());
    for (int i = 0; i < names.size(); i++) {
      describe(described, i, type, names.get(i));
      known[i] |= described.kinds[i] != null;
    }
    shape = described;
    return described;
  }

  private void describe(Shape target, int slot, JfrType type, String path) {
    int dot = path.indexOf('.');
    JfrType.@Nullable Field field = type.field(dot < 0 ? path : path.substring(0, dot));
    if (field == null) {
      return;
    }
    @Nullable JfrType fieldType = reader.jfrTypes().byId(field.typeId());
    if (dot >= 0) {
      if (fieldType != null && !field.constantPool() && !field.array()) {
        describe(target, slot, fieldType, path.substring(dot + 1));
      }
      return;
    }
    target.types[slot] = field.typeId();
    if (field.array()) {
      target.kinds[slot] = FieldKind.ARRAY;
    } else {
      target.kinds[slot] =
          field.constantPool() || fieldType == null ? FieldKind.CONSTANT : fieldType.kind();
    }
  }

  final void take(Shape another) {
    shape = another;
  }

  final void read(FieldProgram program, ChunkCursor cursor) throws JfrFormatException {
    program.run(cursor, values);
  }

  final void clear() {
    Arrays.fill(values, 0);
  }

  final ChunkReader reader() {
    return reader;
  }

  /** The names of the fields that were asked for. */
  public final List<String> names() {
    return names;
  }

  /** Whether the recording has the field; the value of one that it has not is 0. */
  public final boolean has(int field) {
    return known[field];
  }

  /** How the field is encoded in the value at hand, null if that has no such field. */
  public final @Nullable FieldKind kind(int field) {
    return shape.kinds[field];
  }

  /** An integer, a boolean as 0 or 1, ticks, or the number of a constant. */
  public final long longValue(int field) {
    return values[field];
  }

  public final boolean booleanValue(int field) {
    return values[field] != 0;
  }

  /** A number with a fraction, be it of single or double precision. */
  public final double doubleValue(int field) {
    return Double.longBitsToDouble(values[field]);
  }

  /**
   * The text of a field: its own, or that of the constant it names, such as the name of a class or
   * a thread state. Decoded on demand.
   */
  public final @Nullable String text(int field) throws JfrFormatException {
    @Nullable FieldKind kind = shape.kinds[field];
    if (kind == FieldKind.TEXT) {
      // Before the first value there is none; position 0 is the header of the chunk.
      return values[field] == 0 ? null : reader.textAt(values[field]);
    }
    if (kind == FieldKind.CONSTANT) {
      return reader.constantText(shape.types[field], values[field]);
    }
    return null;
  }
}
