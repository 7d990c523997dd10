/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.otlp.JsonEncoder;
import dev.sennit.profiles.dictionary.AttributeSets;
import dev.sennit.profiles.dictionary.AttributeTable;
import dev.sennit.profiles.dictionary.FunctionTable;
import dev.sennit.profiles.dictionary.LinkTable;
import dev.sennit.profiles.dictionary.LocationTable;
import dev.sennit.profiles.dictionary.MappingTable;
import dev.sennit.profiles.dictionary.StackTable;
import java.io.IOException;

/** Writes the selected part of a dictionary as OTLP/JSON, every table with its zero entry. */
final class JsonDictionary {
  private final JsonEncoder json;
  private final DictionarySelection selection;

  JsonDictionary(JsonEncoder json, DictionarySelection selection) {
    this.json = json;
    this.selection = selection;
  }

  void write() throws IOException {
    json.beginObject();
    table("mappingTable", selection.mappings, this::mapping);
    table("locationTable", selection.locations, this::location);
    table("functionTable", selection.functions, this::function);
    table("linkTable", selection.links, this::link);
    json.name("stringTable");
    json.beginArray();
    json.value("");
    for (int i = 1; i < selection.strings.count(); i++) {
      json.value(selection.dictionary.strings().get(selection.strings.original(i)));
    }
    json.endArray();
    table("attributeTable", selection.attributes, this::attribute);
    table("stackTable", selection.stacks, this::stack);
    json.endObject();
  }

  private void table(String name, Renumbering entries, EntryWriter writer) throws IOException {
    json.name(name);
    json.beginArray();
    json.beginObject();
    json.endObject();
    for (int i = 1; i < entries.count(); i++) {
      json.beginObject();
      writer.write(entries.original(i));
      json.endObject();
    }
    json.endArray();
  }

  private void mapping(int mapping) throws IOException {
    MappingTable table = selection.dictionary.mappings();
    unsigned("memoryStart", table.memoryStart(mapping));
    unsigned("memoryLimit", table.memoryLimit(mapping));
    unsigned("fileOffset", table.fileOffset(mapping));
    index(json, "filenameStrindex", selection.strings.of(table.filename(mapping)));
    attributes(json, selection, table.attributeSet(mapping));
  }

  private void location(int location) throws IOException {
    LocationTable table = selection.dictionary.locations();
    index(json, "mappingIndex", selection.mappings.of(table.mapping(location)));
    unsigned("address", table.address(location));
    if (table.lineCount(location) > 0) {
      json.name("lines");
      json.beginArray();
      for (int k = 0; k < table.lineCount(location); k++) {
        json.beginObject();
        index(json, "functionIndex", selection.functions.of(table.function(location, k)));
        signed("line", table.line(location, k));
        signed("column", table.column(location, k));
        json.endObject();
      }
      json.endArray();
    }
    attributes(json, selection, table.attributeSet(location));
  }

  private void function(int function) throws IOException {
    FunctionTable table = selection.dictionary.functions();
    index(json, "nameStrindex", selection.strings.of(table.name(function)));
    index(json, "systemNameStrindex", selection.strings.of(table.systemName(function)));
    index(json, "filenameStrindex", selection.strings.of(table.filename(function)));
    signed("startLine", table.startLine(function));
  }

  private void link(int link) throws IOException {
    LinkTable table = selection.dictionary.links();
    json.name("traceId");
    json.hex(table.traceIdHigh(link), table.traceIdLow(link));
    json.name("spanId");
    json.hex(table.spanId(link));
  }

  private void attribute(int attribute) throws IOException {
    AttributeTable table = selection.dictionary.attributes();
    index(json, "keyStrindex", selection.strings.of(table.key(attribute)));
    json.name("value");
    json.beginObject();
    switch (table.kind(attribute)) {
      case STRING -> {
        json.name("stringValue");
        json.value(table.stringValue(attribute));
      }
      case INT -> {
        json.name("intValue");
        json.int64(table.intValue(attribute));
      }
      case BOOL -> {
        json.name("boolValue");
        json.value(table.boolValue(attribute));
      }
      case DOUBLE -> {
        json.name("doubleValue");
        json.value(table.doubleValue(attribute));
      }
      case NONE -> {}
    }
    json.endObject();
    index(json, "unitStrindex", selection.strings.of(table.unit(attribute)));
  }

  private void stack(int stack) throws IOException {
    StackTable table = selection.dictionary.stacks();
    json.name("locationIndices");
    json.beginArray();
    for (int k = 0; k < table.length(stack); k++) {
      json.value(selection.locations.of(table.location(stack, k)));
    }
    json.endArray();
  }

  static void attributes(JsonEncoder json, DictionarySelection selection, int set)
      throws IOException {
    if (set == 0) {
      return;
    }
    AttributeSets sets = selection.dictionary.attributeSets();
    json.name("attributeIndices");
    json.beginArray();
    for (int k = 0; k < sets.length(set); k++) {
      json.value(selection.attributes.of(sets.attribute(set, k)));
    }
    json.endArray();
  }

  static void index(JsonEncoder json, String name, int index) throws IOException {
    if (index != 0) {
      json.name(name);
      json.value(index);
    }
  }

  private void signed(String name, long value) throws IOException {
    if (value != 0) {
      json.name(name);
      json.int64(value);
    }
  }

  private void unsigned(String name, long value) throws IOException {
    if (value != 0) {
      json.name(name);
      json.uint64(value);
    }
  }

  private interface EntryWriter {
    void write(int entry) throws IOException;
  }
}
