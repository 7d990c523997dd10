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
  private final @Nullable FieldKind[] kinds;
  private final long[] constantTypes;
  private final long[] values;

  FieldValues(ChunkReader reader, List<String> names) {
    this.reader = reader;
    this.names = names;
    this.kinds = new FieldKind[names.size()];
    this.constantTypes = new long[names.size()];
    this.values = new long[names.size()];
  }

  /** Takes the fields as {@code type} describes them. */
  final void describe(JfrType type) {
    for (int i = 0; i < kinds.length; i++) {
      describe(i, type, names.get(i));
    }
  }

  private void describe(int slot, JfrType type, String path) {
    int dot = path.indexOf('.');
    JfrType.@Nullable Field field = type.field(dot < 0 ? path : path.substring(0, dot));
    if (field == null) {
      return;
    }
    @Nullable JfrType fieldType = reader.jfrTypes().byId(field.typeId());
    if (dot >= 0) {
      if (fieldType != null && !field.constantPool() && !field.array()) {
        describe(slot, fieldType, path.substring(dot + 1));
      }
      return;
    }
    constantTypes[slot] = field.typeId();
    if (field.array()) {
      kinds[slot] = FieldKind.ARRAY;
    } else {
      kinds[slot] =
          field.constantPool() || fieldType == null ? FieldKind.CONSTANT : fieldType.kind();
    }
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
    return kinds[field] != null;
  }

  /** How the field is encoded, null if the recording has no such field. */
  public final @Nullable FieldKind kind(int field) {
    return kinds[field];
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
    @Nullable FieldKind kind = kinds[field];
    if (kind == FieldKind.TEXT) {
      // A text that the type at hand has not, but another of the same name has.
      return values[field] == 0 ? null : reader.textAt(values[field]);
    }
    if (kind == FieldKind.CONSTANT) {
      return reader.constantText(constantTypes[field], values[field]);
    }
    return null;
  }
}
