/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.profiles.dictionary.AttributeSets;
import dev.sennit.profiles.dictionary.AttributeTable;
import dev.sennit.profiles.dictionary.ProfilesDictionary;

/** A dictionary in memory, as the rules see it. */
final class ModelDictionary implements DictionaryView {
  private static final int TRACE_ID = 16;
  private static final int SPAN_ID = 8;

  private final ProfilesDictionary dictionary;
  private final IntList list = new IntList();
  private final LocationEntry entry = new LocationEntry();

  ModelDictionary(ProfilesDictionary dictionary) {
    this.dictionary = dictionary;
  }

  @Override
  public int size(Table table) {
    return switch (table) {
      case STRING -> dictionary.strings().size();
      case ATTRIBUTE -> dictionary.attributes().size();
      case MAPPING -> dictionary.mappings().size();
      case FUNCTION -> dictionary.functions().size();
      case LOCATION -> dictionary.locations().size();
      case LINK -> dictionary.links().size();
      case STACK -> dictionary.stacks().size();
    };
  }

  @Override
  public void show(Table table, Visitor visitor) {
    for (int i = 0; i < size(table); i++) {
      switch (table) {
        case STRING -> visitor.string(i, dictionary.strings().get(i));
        case ATTRIBUTE -> showAttribute(i, visitor);
        case MAPPING ->
            visitor.mapping(
                i,
                dictionary.mappings().memoryStart(i),
                dictionary.mappings().memoryLimit(i),
                dictionary.mappings().fileOffset(i),
                dictionary.mappings().filename(i),
                attributes(dictionary, dictionary.mappings().attributeSet(i), list));
        case FUNCTION ->
            visitor.function(
                i,
                dictionary.functions().name(i),
                dictionary.functions().systemName(i),
                dictionary.functions().filename(i),
                dictionary.functions().startLine(i));
        case LOCATION -> visitor.location(i, location(i));
        case LINK ->
            visitor.link(
                i,
                i == 0 ? 0 : TRACE_ID,
                i == 0 ? 0 : SPAN_ID,
                dictionary.links().traceIdHigh(i),
                dictionary.links().traceIdLow(i),
                dictionary.links().spanId(i));
        case STACK -> {
          list.clear();
          for (int k = 0; k < dictionary.stacks().length(i); k++) {
            list.add(dictionary.stacks().location(i, k));
          }
          visitor.stack(i, list);
        }
      }
    }
  }

  /** The attributes of a set, in {@code target}. */
  static IntList attributes(ProfilesDictionary dictionary, int set, IntList target) {
    AttributeSets sets = dictionary.attributeSets();
    target.clear();
    for (int k = 0; k < sets.length(set); k++) {
      target.add(sets.attribute(set, k));
    }
    return target;
  }

  private void showAttribute(int i, Visitor visitor) {
    AttributeTable table = dictionary.attributes();
    String value =
        switch (table.kind(i)) {
          case NONE -> null;
          case STRING -> "string " + table.stringValue(i);
          case INT -> "int " + table.intValue(i);
          case BOOL -> "bool " + table.boolValue(i);
          case DOUBLE -> "double " + table.doubleValue(i);
        };
    visitor.attribute(i, table.key(i), value, table.unit(i));
  }

  private LocationEntry location(int i) {
    entry.clear();
    entry.mapping = dictionary.locations().mapping(i);
    entry.address = dictionary.locations().address(i);
    for (int k = 0; k < dictionary.locations().lineCount(i); k++) {
      entry.functions.add(dictionary.locations().function(i, k));
      entry.lines.add(dictionary.locations().line(i, k));
      entry.columns.add(dictionary.locations().column(i, k));
    }
    attributes(dictionary, dictionary.locations().attributeSet(i), entry.attributes);
    return entry;
  }
}
