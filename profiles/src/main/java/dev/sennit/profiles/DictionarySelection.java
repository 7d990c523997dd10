/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.otlp.ProtobufEncoder;
import dev.sennit.profiles.dictionary.AttributeSets;
import dev.sennit.profiles.dictionary.AttributeTable;
import dev.sennit.profiles.dictionary.FunctionTable;
import dev.sennit.profiles.dictionary.LocationTable;
import dev.sennit.profiles.dictionary.MappingTable;
import dev.sennit.profiles.dictionary.ProfilesDictionary;
import dev.sennit.profiles.dictionary.StackTable;
import dev.sennit.profiles.proto.OtlpProtoFields;

/**
 * The entries of a dictionary that one request refers to, renumbered in the order of their first
 * use: so no orphan is ever written, and each of several requests has a dictionary of its own. The
 * encoded size is known at any time, because an entry is added after all that it refers to and its
 * numbers never change; what was added last can be taken back.
 */
final class DictionarySelection {
  final ProfilesDictionary dictionary;
  final Renumbering strings;
  final Renumbering functions;
  final Renumbering mappings;
  final Renumbering locations;
  final Renumbering stacks;
  final Renumbering links;
  final Renumbering attributes;
  private int[] stackLocations = new int[64];
  private long size;

  DictionarySelection(ProfilesDictionary dictionary) {
    this.dictionary = dictionary;
    strings = new Renumbering("string", dictionary.strings().size());
    functions = new Renumbering("function", dictionary.functions().size());
    mappings = new Renumbering("mapping", dictionary.mappings().size());
    locations = new Renumbering("location", dictionary.locations().size());
    stacks = new Renumbering("stack", dictionary.stacks().size());
    links = new Renumbering("link", dictionary.links().size());
    attributes = new Renumbering("attribute", dictionary.attributes().size());
    size = DictionaryMessages.ZERO_ENTRIES;
  }

  /** What the selection was, for {@link #takeBack}. */
  record Mark(
      int strings,
      int functions,
      int mappings,
      int locations,
      int stacks,
      int links,
      int attributes,
      long size) {}

  Mark mark() {
    return new Mark(
        strings.count(),
        functions.count(),
        mappings.count(),
        locations.count(),
        stacks.count(),
        links.count(),
        attributes.count(),
        size);
  }

  void takeBack(Mark mark) {
    strings.takeBack(mark.strings());
    functions.takeBack(mark.functions());
    mappings.takeBack(mark.mappings());
    locations.takeBack(mark.locations());
    stacks.takeBack(mark.stacks());
    links.takeBack(mark.links());
    attributes.takeBack(mark.attributes());
    size = mark.size();
  }

  /** The length of the encoded dictionary with what was added so far. */
  long size() {
    return size;
  }

  void addString(int string) {
    if (strings.add(string)) {
      size +=
          ProtobufEncoder.sizeOfString(
              OtlpProtoFields.ProfilesDictionary.STRING_TABLE, dictionary.strings().get(string));
    }
  }

  void addAttributeSet(int set) {
    AttributeSets sets = dictionary.attributeSets();
    for (int k = 0; k < sets.length(set); k++) {
      addAttribute(sets.attribute(set, k));
    }
  }

  void addLink(int link) {
    if (links.add(link)) {
      size += entry(DictionaryMessages.LINK);
    }
  }

  void addStack(int stack) {
    if (!stacks.add(stack)) {
      return;
    }
    StackTable table = dictionary.stacks();
    int[] ofStack = locationsOf(stack);
    int length = table.length(stack);
    long packed = 0;
    for (int k = 0; k < length; k++) {
      int location = ofStack[k];
      int number = locations.of(location);
      if (number == 0 && location != 0) {
        addLocation(location);
        number = locations.of(location);
      }
      packed += ProtobufEncoder.sizeOfVarint(number);
    }
    size += entry(DictionaryMessages.sizeOfStack(packed));
  }

  /** The locations of a stack, from 0 to its length, until this is asked again. */
  int[] locationsOf(int stack) {
    stackLocations = dictionary.stacks().locations(stack, stackLocations);
    return stackLocations;
  }

  private void addLocation(int location) {
    if (!locations.add(location)) {
      return;
    }
    LocationTable table = dictionary.locations();
    addMapping(table.mapping(location));
    for (int k = 0; k < table.lineCount(location); k++) {
      addFunction(table.function(location, k));
    }
    addAttributeSet(table.attributeSet(location));
    size += entry(DictionaryMessages.sizeOfLocation(this, location));
  }

  private void addFunction(int function) {
    if (!functions.add(function)) {
      return;
    }
    FunctionTable table = dictionary.functions();
    addString(table.name(function));
    addString(table.systemName(function));
    addString(table.filename(function));
    size += entry(DictionaryMessages.sizeOfFunction(this, function));
  }

  private void addMapping(int mapping) {
    if (!mappings.add(mapping)) {
      return;
    }
    MappingTable table = dictionary.mappings();
    addString(table.filename(mapping));
    addAttributeSet(table.attributeSet(mapping));
    size += entry(DictionaryMessages.sizeOfMapping(this, mapping));
  }

  private void addAttribute(int attribute) {
    if (!attributes.add(attribute)) {
      return;
    }
    AttributeTable table = dictionary.attributes();
    addString(table.key(attribute));
    addString(table.unit(attribute));
    size += entry(DictionaryMessages.sizeOfAttribute(this, attribute));
  }

  /** The size of an entry in the dictionary: all tables have field numbers of one byte. */
  private static long entry(long content) {
    return ProtobufEncoder.sizeOfLengthDelimited(
        OtlpProtoFields.ProfilesDictionary.STACK_TABLE, content);
  }
}
