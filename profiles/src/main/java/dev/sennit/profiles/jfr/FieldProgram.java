/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way through the bytes of a value: which fields to read into which slot, and how to get past
 * the others. Neighbours that nobody wants become one step, and an event needs no step after its
 * last wanted field.
 *
 * <p>Steps are pairs in one array: what to do, and its operand.
 */
final class FieldProgram {
  private static final int SKIP_BYTES = 0;
  private static final int SKIP_VARINTS = 1;
  private static final int SKIP_TEXT = 2;
  private static final int SKIP_ARRAY = 3;
  private static final int READ_BYTE = 4;
  private static final int READ_SHORT = 5;
  private static final int READ_CHAR = 6;
  private static final int READ_INT = 7;
  private static final int READ_LONG = 8;
  private static final int READ_FLOAT = 9;
  private static final int READ_DOUBLE = 10;
  private static final int MARK = 11;

  private static final String[] NOTHING = {};
  private static final long[] NO_SLOTS = {};

  /** A structure within structures within structures; real ones have three levels. */
  private static final int DEEPEST = 16;

  /** Fields after inlining; real events have some hundred. */
  private static final int MOST_FIELDS = 100_000;

  private final int[] steps;
  private final FieldProgram[] elements;

  private FieldProgram(int[] steps, FieldProgram[] elements) {
    this.steps = steps;
    this.elements = elements;
  }

  /** Reads the value at the cursor. */
  void run(ChunkCursor cursor, long[] slots) throws JfrFormatException {
    int[] code = steps;
    for (int i = 0; i < code.length; i += 2) {
      int operand = code[i + 1];
      switch (code[i]) {
        case SKIP_BYTES -> cursor.skipBytes(operand);
        case SKIP_VARINTS -> cursor.skipVarints(operand);
        case SKIP_TEXT -> cursor.skipString();
        case SKIP_ARRAY -> elements[operand].skipArray(cursor);
        case READ_BYTE -> slots[operand] = cursor.readByte();
        case READ_SHORT -> slots[operand] = cursor.readShort();
        case READ_CHAR -> slots[operand] = cursor.readChar();
        case READ_INT -> slots[operand] = cursor.readInt();
        case READ_LONG -> slots[operand] = cursor.readLong();
        case READ_FLOAT -> slots[operand] = Double.doubleToRawLongBits(cursor.readFloat());
        case READ_DOUBLE -> slots[operand] = Double.doubleToRawLongBits(cursor.readDouble());
        case MARK -> slots[operand] = cursor.position();
        default -> throw new AssertionError(code[i]);
      }
    }
  }

  void skip(ChunkCursor cursor) throws JfrFormatException {
    run(cursor, NO_SLOTS);
  }

  /** Skips a count and as many values. */
  private void skipArray(ChunkCursor cursor) throws JfrFormatException {
    long count = cursor.readCount("elements of an array");
    if (steps.length == 0) {
      return;
    }
    if (steps.length == 2 && steps[0] == SKIP_VARINTS) {
      cursor.skipVarints(count * steps[1]);
    } else if (steps.length == 2 && steps[0] == SKIP_BYTES) {
      cursor.skipBytes(count * steps[1]);
    } else {
      for (; count > 0; count--) {
        skip(cursor);
      }
    }
  }

  /** Whether a value is nothing but {@code count} integers to be read in their order. */
  boolean readsIntegers(int count) {
    if (steps.length != 2 * count) {
      return false;
    }
    for (int i = 0; i < steps.length; i += 2) {
      boolean integer = steps[i] == READ_LONG || steps[i] == READ_INT;
      if (!integer || steps[i + 1] != i / 2) {
        return false;
      }
    }
    return true;
  }

  /** How many compressed integers a value consists of, if it is to be skipped; -1 if of others. */
  int skippedVarints() {
    return steps.length == 2 && steps[0] == SKIP_VARINTS ? steps[1] : -1;
  }

  /** The way past a whole value. */
  static FieldProgram skipping(JfrTypes types, JfrType type, ChunkCursor cursor)
      throws JfrFormatException {
    return new Compiler(types, cursor, List.of(NOTHING)).whole(type, 0).program();
  }

  /** The way to the wanted fields of an event, whose rest is skipped by its size. */
  static FieldProgram reading(JfrTypes types, JfrType type, ChunkCursor cursor, List<String> wanted)
      throws JfrFormatException {
    return new Compiler(types, cursor, wanted).whole(type, 0).upToLastRead();
  }

  /** The way through one of several values in a row, reading the wanted fields. */
  static FieldProgram readingWhole(
      JfrTypes types, JfrType type, ChunkCursor cursor, List<String> wanted)
      throws JfrFormatException {
    return new Compiler(types, cursor, wanted).whole(type, 0).program();
  }

  private static final class Compiler {
    private final JfrTypes types;
    private final ChunkCursor cursor;
    private final List<String> wanted;
    private int[] steps = new int[16];
    private int size;
    private FieldProgram[] elements = {};
    private int fields;

    Compiler(JfrTypes types, ChunkCursor cursor, List<String> wanted) {
      this.types = types;
      this.cursor = cursor;
      this.wanted = wanted;
    }

    FieldProgram program() {
      return new FieldProgram(Arrays.copyOf(steps, size), elements);
    }

    FieldProgram upToLastRead() {
      while (size > 0 && steps[size - 2] < READ_BYTE) {
        size -= 2;
      }
      return program();
    }

    Compiler whole(JfrType type, int depth) throws JfrFormatException {
      if (type.kind() == FieldKind.STRUCTURE) {
        members(type, "", depth);
      } else {
        skip(type.kind());
      }
      return this;
    }

    private void members(JfrType type, String prefix, int depth) throws JfrFormatException {
      if (depth > DEEPEST) {
        throw cursor.error("type " + type.name() + " is nested more than " + DEEPEST + " deep");
      }
      for (JfrType.Field field : type.fields()) {
        if (++fields > MOST_FIELDS) {
          throw cursor.error("type " + type.name() + " has more than " + MOST_FIELDS + " fields");
        }
        member(field, prefix, depth);
      }
    }

    private void member(JfrType.Field field, String prefix, int depth) throws JfrFormatException {
      String name = wanted.isEmpty() ? "" : prefix + field.name();
      int slot = wanted.isEmpty() ? -1 : wanted.indexOf(name);
      @Nullable JfrType type = types.byId(field.typeId());
      if (type == null && !field.constantPool()) {
        throw cursor.error(
            "field " + field.name() + " has type " + field.typeId() + ", which is not described");
      }
      FieldKind kind = field.constantPool() || type == null ? FieldKind.CONSTANT : type.kind();
      if (field.array()) {
        if (slot >= 0) {
          add(MARK, slot);
        }
        Compiler element = new Compiler(types, cursor, List.of());
        element.fields = fields;
        if (kind == FieldKind.STRUCTURE && type != null) {
          element.members(type, "", depth + 1);
        } else {
          element.skip(kind);
        }
        fields = element.fields;
        elements = Arrays.copyOf(elements, elements.length + 1);
        elements[elements.length - 1] = element.program();
        add(SKIP_ARRAY, elements.length - 1);
      } else if (kind == FieldKind.STRUCTURE && type != null) {
        if (slot >= 0) {
          add(MARK, slot);
        }
        members(type, name + ".", depth + 1);
      } else if (slot >= 0) {
        read(kind, slot);
      } else {
        skip(kind);
      }
    }

    private void read(FieldKind kind, int slot) {
      switch (kind) {
        case BOOLEAN, BYTE -> add(READ_BYTE, slot);
        case SHORT -> add(READ_SHORT, slot);
        case CHAR -> add(READ_CHAR, slot);
        case INT -> add(READ_INT, slot);
        case LONG, CONSTANT -> add(READ_LONG, slot);
        case FLOAT -> add(READ_FLOAT, slot);
        case DOUBLE -> add(READ_DOUBLE, slot);
        case TEXT, STRUCTURE, ARRAY -> {
          add(MARK, slot);
          skip(kind);
        }
      }
    }

    private void skip(FieldKind kind) {
      if (kind == FieldKind.TEXT) {
        add(SKIP_TEXT, 0);
      } else if (kind.compressible() && cursor.compressed()) {
        addUp(SKIP_VARINTS, 1);
      } else {
        addUp(SKIP_BYTES, kind.plainSize());
      }
    }

    private void addUp(int step, int operand) {
      if (size > 0 && steps[size - 2] == step) {
        steps[size - 1] += operand;
      } else if (operand > 0) {
        add(step, operand);
      }
    }

    private void add(int step, int operand) {
      if (size == steps.length) {
        steps = Arrays.copyOf(steps, size * 2);
      }
      steps[size++] = step;
      steps[size++] = operand;
    }
  }
}
