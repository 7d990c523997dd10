/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.format;

import dev.sennit.profiles.dictionary.AttributeTable;
import dev.sennit.profiles.dictionary.LocationTable;
import dev.sennit.profiles.dictionary.ProfilesDictionary;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The frames of a dictionary by name and type: two lines of a method are one frame, and so is a
 * method that several locations name. A location has several where calls were inlined.
 */
final class Frames {
  static final String NO_STACK = "[no stack]";
  private static final String UNKNOWN = "[unknown]";

  private final ProfilesDictionary dictionary;
  private final boolean withTypes;
  private final Map<Frame, Integer> index = new HashMap<>();
  private final List<Frame> frames = new ArrayList<>();
  private final int[][] byLocation;

  /** A frame; the type is empty where it is not known. */
  record Frame(String name, String type) {}

  /**
   * @param withTypes whether frames of one name but different types are two
   */
  Frames(ProfilesDictionary dictionary, boolean withTypes) {
    this.dictionary = dictionary;
    this.withTypes = withTypes;
    this.byLocation = new int[dictionary.locations().size()][];
  }

  int size() {
    return frames.size();
  }

  Frame get(int frame) {
    return frames.get(frame);
  }

  int noStack() {
    return intern(NO_STACK, "");
  }

  /** The frames of a location, the innermost first. */
  int[] of(int location) {
    int[] known = byLocation[location];
    if (known == null) {
      known = translate(location);
      byLocation[location] = known;
    }
    return known;
  }

  private int[] translate(int location) {
    LocationTable locations = dictionary.locations();
    String type = withTypes ? type(locations.attributeSet(location)) : "";
    int count = locations.lineCount(location);
    if (count == 0) {
      return new int[] {intern(address(location), type)};
    }
    int[] result = new int[count];
    for (int k = 0; k < count; k++) {
      int function = locations.function(location, k);
      String name = dictionary.strings().get(dictionary.functions().name(function));
      result[k] = intern(name.isEmpty() ? UNKNOWN : name, type);
    }
    return result;
  }

  private String address(int location) {
    LocationTable locations = dictionary.locations();
    long address = locations.address(location);
    if (address == 0) {
      return UNKNOWN;
    }
    int mapping = locations.mapping(location);
    String file = dictionary.strings().get(dictionary.mappings().filename(mapping));
    String hex = "0x" + Long.toHexString(address);
    return file.isEmpty() ? hex : file.substring(file.lastIndexOf('/') + 1) + "+" + hex;
  }

  private String type(int attributeSet) {
    for (int k = 0; k < dictionary.attributeSets().length(attributeSet); k++) {
      int attribute = dictionary.attributeSets().attribute(attributeSet, k);
      AttributeTable attributes = dictionary.attributes();
      if (dictionary.strings().get(attributes.key(attribute)).equals("profile.frame.type")
          && attributes.kind(attribute) == AttributeTable.Kind.STRING) {
        return attributes.stringValue(attribute);
      }
    }
    return "";
  }

  private int intern(String name, String type) {
    return index.computeIfAbsent(
        new Frame(name, type),
        frame -> {
          frames.add(frame);
          return frames.size() - 1;
        });
  }
}
