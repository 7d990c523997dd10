/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A type as a chunk's metadata describes it. */
record JfrType(long id, String name, String superType, List<Field> fields) {
  private static final String EVENT = "jdk.jfr.Event";

  /** The one type whose values are encoded texts. */
  static final String STRING = "java.lang.String";

  /**
   * A member of a type.
   *
   * @param constantPool whether the value is the number of a constant of that type
   */
  record Field(String name, long typeId, boolean constantPool, boolean array) {}

  boolean isEvent() {
    return superType.equals(EVENT);
  }

  /** How values of this type are encoded; a type that is not built in is a structure. */
  FieldKind kind() {
    return switch (name) {
      case "boolean" -> FieldKind.BOOLEAN;
      case "byte" -> FieldKind.BYTE;
      case "short" -> FieldKind.SHORT;
      case "char" -> FieldKind.CHAR;
      case "int" -> FieldKind.INT;
      case "long" -> FieldKind.LONG;
      case "float" -> FieldKind.FLOAT;
      case "double" -> FieldKind.DOUBLE;
      case STRING -> FieldKind.TEXT;
      default -> FieldKind.STRUCTURE;
    };
  }

  @Nullable Field field(String wanted) {
    for (Field field : fields) {
      if (field.name.equals(wanted)) {
        return field;
      }
    }
    return null;
  }
}
