/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import static dev.sennit.otlp.ProtobufEncoder.sizeOfFixed64Field;
import static dev.sennit.otlp.ProtobufEncoder.sizeOfLengthDelimited;
import static dev.sennit.otlp.ProtobufEncoder.sizeOfString;
import static dev.sennit.otlp.ProtobufEncoder.sizeOfVarint;
import static dev.sennit.otlp.ProtobufEncoder.sizeOfVarintField;

import dev.sennit.otlp.ProtobufEncoder;
import dev.sennit.profiles.dictionary.AttributeSets;
import dev.sennit.profiles.dictionary.AttributeTable;
import dev.sennit.profiles.dictionary.FunctionTable;
import dev.sennit.profiles.dictionary.LocationTable;
import dev.sennit.profiles.dictionary.MappingTable;
import dev.sennit.profiles.proto.OtlpProtoFields.AnyValue;
import dev.sennit.profiles.proto.OtlpProtoFields.Function;
import dev.sennit.profiles.proto.OtlpProtoFields.KeyValueAndUnit;
import dev.sennit.profiles.proto.OtlpProtoFields.Line;
import dev.sennit.profiles.proto.OtlpProtoFields.Link;
import dev.sennit.profiles.proto.OtlpProtoFields.Location;
import dev.sennit.profiles.proto.OtlpProtoFields.Mapping;
import dev.sennit.profiles.proto.OtlpProtoFields.Stack;

/**
 * The messages of the dictionary in protobuf: for each how long it is and how it is written, side
 * by side, because the two have to agree. A field that is 0 is not written, as proto3 has it.
 */
final class DictionaryMessages {
  /** The zero entries: two bytes (tag, length 0) in each of the seven tables. */
  static final int ZERO_ENTRIES = 7 * 2;

  private static final int TRACE_ID = 16;
  private static final int SPAN_ID = 8;

  /** The content of a link that is one. */
  static final int LINK = 2 + TRACE_ID + 2 + SPAN_ID;

  private DictionaryMessages() {}

  /** The size of a stack whose locations take that many bytes. */
  static long sizeOfStack(long packedLocations) {
    return sizeOfLengthDelimited(Stack.LOCATION_INDICES, packedLocations);
  }

  static void writeStack(ProtobufEncoder out, DictionarySelection selection, int stack) {
    int length = selection.dictionary.stacks().length(stack);
    int[] locations = selection.locationsOf(stack);
    int start = out.beginMessage(Stack.LOCATION_INDICES);
    for (int k = 0; k < length; k++) {
      out.writeVarint(selection.locations.of(locations[k]));
    }
    out.endMessage(start);
  }

  static long sizeOfLocation(DictionarySelection selection, int location) {
    LocationTable table = selection.dictionary.locations();
    long size =
        sizeUnlessZero(Location.MAPPING_INDEX, selection.mappings.of(table.mapping(location)))
            + sizeUnlessZero(Location.ADDRESS, table.address(location));
    for (int k = 0; k < table.lineCount(location); k++) {
      size += sizeOfLengthDelimited(Location.LINES, sizeOfLine(selection, location, k));
    }
    return size
        + sizeOfAttributes(Location.ATTRIBUTE_INDICES, selection, table.attributeSet(location));
  }

  static void writeLocation(ProtobufEncoder out, DictionarySelection selection, int location) {
    LocationTable table = selection.dictionary.locations();
    writeUnlessZero(out, Location.MAPPING_INDEX, selection.mappings.of(table.mapping(location)));
    writeUnlessZero(out, Location.ADDRESS, table.address(location));
    for (int k = 0; k < table.lineCount(location); k++) {
      out.writeLengthDelimited(Location.LINES, sizeOfLine(selection, location, k));
      int function = selection.functions.of(table.function(location, k));
      writeUnlessZero(out, Line.FUNCTION_INDEX, function);
      writeUnlessZero(out, Line.LINE, table.line(location, k));
      writeUnlessZero(out, Line.COLUMN, table.column(location, k));
    }
    writeAttributes(out, Location.ATTRIBUTE_INDICES, selection, table.attributeSet(location));
  }

  private static long sizeOfLine(DictionarySelection selection, int location, int k) {
    LocationTable table = selection.dictionary.locations();
    int function = selection.functions.of(table.function(location, k));
    return sizeUnlessZero(Line.FUNCTION_INDEX, function)
        + sizeUnlessZero(Line.LINE, table.line(location, k))
        + sizeUnlessZero(Line.COLUMN, table.column(location, k));
  }

  static long sizeOfFunction(DictionarySelection selection, int function) {
    FunctionTable table = selection.dictionary.functions();
    Renumbering strings = selection.strings;
    return sizeUnlessZero(Function.NAME_STRINDEX, strings.of(table.name(function)))
        + sizeUnlessZero(Function.SYSTEM_NAME_STRINDEX, strings.of(table.systemName(function)))
        + sizeUnlessZero(Function.FILENAME_STRINDEX, strings.of(table.filename(function)))
        + sizeUnlessZero(Function.START_LINE, table.startLine(function));
  }

  static void writeFunction(ProtobufEncoder out, DictionarySelection selection, int function) {
    FunctionTable table = selection.dictionary.functions();
    Renumbering strings = selection.strings;
    writeUnlessZero(out, Function.NAME_STRINDEX, strings.of(table.name(function)));
    writeUnlessZero(out, Function.SYSTEM_NAME_STRINDEX, strings.of(table.systemName(function)));
    writeUnlessZero(out, Function.FILENAME_STRINDEX, strings.of(table.filename(function)));
    writeUnlessZero(out, Function.START_LINE, table.startLine(function));
  }

  static long sizeOfMapping(DictionarySelection selection, int mapping) {
    MappingTable table = selection.dictionary.mappings();
    int filename = selection.strings.of(table.filename(mapping));
    return sizeUnlessZero(Mapping.MEMORY_START, table.memoryStart(mapping))
        + sizeUnlessZero(Mapping.MEMORY_LIMIT, table.memoryLimit(mapping))
        + sizeUnlessZero(Mapping.FILE_OFFSET, table.fileOffset(mapping))
        + sizeUnlessZero(Mapping.FILENAME_STRINDEX, filename)
        + sizeOfAttributes(Mapping.ATTRIBUTE_INDICES, selection, table.attributeSet(mapping));
  }

  static void writeMapping(ProtobufEncoder out, DictionarySelection selection, int mapping) {
    MappingTable table = selection.dictionary.mappings();
    int filename = selection.strings.of(table.filename(mapping));
    writeUnlessZero(out, Mapping.MEMORY_START, table.memoryStart(mapping));
    writeUnlessZero(out, Mapping.MEMORY_LIMIT, table.memoryLimit(mapping));
    writeUnlessZero(out, Mapping.FILE_OFFSET, table.fileOffset(mapping));
    writeUnlessZero(out, Mapping.FILENAME_STRINDEX, filename);
    writeAttributes(out, Mapping.ATTRIBUTE_INDICES, selection, table.attributeSet(mapping));
  }

  static void writeLink(ProtobufEncoder out, DictionarySelection selection, int link) {
    out.writeLengthDelimited(Link.TRACE_ID, TRACE_ID);
    out.writeFixed64(Long.reverseBytes(selection.dictionary.links().traceIdHigh(link)));
    out.writeFixed64(Long.reverseBytes(selection.dictionary.links().traceIdLow(link)));
    out.writeLengthDelimited(Link.SPAN_ID, SPAN_ID);
    out.writeFixed64(Long.reverseBytes(selection.dictionary.links().spanId(link)));
  }

  static long sizeOfAttribute(DictionarySelection selection, int attribute) {
    AttributeTable table = selection.dictionary.attributes();
    return sizeUnlessZero(KeyValueAndUnit.KEY_STRINDEX, selection.strings.of(table.key(attribute)))
        + sizeOfLengthDelimited(KeyValueAndUnit.VALUE, sizeOfValue(table, attribute))
        + sizeUnlessZero(
            KeyValueAndUnit.UNIT_STRINDEX, selection.strings.of(table.unit(attribute)));
  }

  static void writeAttribute(ProtobufEncoder out, DictionarySelection selection, int attribute) {
    AttributeTable table = selection.dictionary.attributes();
    writeUnlessZero(out, KeyValueAndUnit.KEY_STRINDEX, selection.strings.of(table.key(attribute)));
    out.writeLengthDelimited(KeyValueAndUnit.VALUE, sizeOfValue(table, attribute));
    // A value is one of several kinds, so that it is written also where it is zero.
    switch (table.kind(attribute)) {
      case STRING -> out.writeString(AnyValue.STRING_VALUE, table.stringValue(attribute));
      case INT -> out.writeVarintField(AnyValue.INT_VALUE, table.intValue(attribute));
      case BOOL -> out.writeBoolField(AnyValue.BOOL_VALUE, table.boolValue(attribute));
      case DOUBLE -> out.writeDoubleField(AnyValue.DOUBLE_VALUE, table.doubleValue(attribute));
      case NONE -> {}
    }
    writeUnlessZero(
        out, KeyValueAndUnit.UNIT_STRINDEX, selection.strings.of(table.unit(attribute)));
  }

  private static long sizeOfValue(AttributeTable table, int attribute) {
    return switch (table.kind(attribute)) {
      case STRING -> sizeOfString(AnyValue.STRING_VALUE, table.stringValue(attribute));
      case INT -> sizeOfVarintField(AnyValue.INT_VALUE, table.intValue(attribute));
      case BOOL -> sizeOfVarintField(AnyValue.BOOL_VALUE, 1);
      case DOUBLE -> sizeOfFixed64Field(AnyValue.DOUBLE_VALUE);
      case NONE -> 0;
    };
  }

  static long sizeOfAttributes(int field, DictionarySelection selection, int set) {
    long packed = packedAttributes(selection, set);
    return packed == 0 ? 0 : sizeOfLengthDelimited(field, packed);
  }

  static void writeAttributes(
      ProtobufEncoder out, int field, DictionarySelection selection, int set) {
    long packed = packedAttributes(selection, set);
    if (packed == 0) {
      return;
    }
    AttributeSets sets = selection.dictionary.attributeSets();
    out.writeLengthDelimited(field, packed);
    for (int k = 0; k < sets.length(set); k++) {
      out.writeVarint(selection.attributes.of(sets.attribute(set, k)));
    }
  }

  private static long packedAttributes(DictionarySelection selection, int set) {
    AttributeSets sets = selection.dictionary.attributeSets();
    long packed = 0;
    for (int k = 0; k < sets.length(set); k++) {
      packed += sizeOfVarint(selection.attributes.of(sets.attribute(set, k)));
    }
    return packed;
  }

  static long sizeUnlessZero(int field, long value) {
    return value == 0 ? 0 : sizeOfVarintField(field, value);
  }

  static void writeUnlessZero(ProtobufEncoder out, int field, long value) {
    if (value != 0) {
      out.writeVarintField(field, value);
    }
  }
}
