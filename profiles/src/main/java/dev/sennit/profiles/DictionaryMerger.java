/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.profiles.dictionary.AttributeSets;
import dev.sennit.profiles.dictionary.AttributeTable;
import dev.sennit.profiles.dictionary.ProfilesDictionary;
import dev.sennit.profiles.dictionary.SampleIdentities;

/**
 * Brings the attributes and links of one dictionary into another and tells which became which;
 * their stacks are the same already.
 */
final class DictionaryMerger {
  private final ProfilesDictionary from;
  private final ProfilesDictionary into;
  private final int[] strings;
  private final int[] attributes;
  private final int[] sets;
  private final int[] links;

  DictionaryMerger(ProfilesDictionary from, ProfilesDictionary into) {
    this.from = from;
    this.into = into;
    strings = new int[from.strings().size()];
    for (int i = 1; i < strings.length; i++) {
      strings[i] = into.strings().intern(from.strings().get(i));
    }
    attributes = new int[from.attributes().size()];
    for (int i = 1; i < attributes.length; i++) {
      attributes[i] = attribute(i);
    }
    sets = new int[from.attributeSets().size()];
    for (int i = 1; i < sets.length; i++) {
      sets[i] = set(i);
    }
    links = new int[from.links().size()];
    for (int i = 1; i < links.length; i++) {
      links[i] =
          into.links()
              .intern(
                  from.links().traceIdHigh(i), from.links().traceIdLow(i), from.links().spanId(i));
    }
  }

  /** Interns identities of a chunk in terms of the common dictionary. */
  int[] identities(SampleIdentities chunk, SampleIdentities all) {
    int[] renumbered = new int[chunk.size()];
    for (int i = 0; i < renumbered.length; i++) {
      renumbered[i] = all.intern(chunk.stack(i), sets[chunk.attributeSet(i)], links[chunk.link(i)]);
    }
    return renumbered;
  }

  private int attribute(int entry) {
    AttributeTable table = from.attributes();
    int key = strings[table.key(entry)];
    int unit = strings[table.unit(entry)];
    return switch (table.kind(entry)) {
      case STRING -> into.attributes().internString(key, table.stringValue(entry), unit);
      case INT -> into.attributes().internInt(key, table.intValue(entry), unit);
      case BOOL -> into.attributes().internBool(key, table.boolValue(entry), unit);
      case DOUBLE -> into.attributes().internDouble(key, table.doubleValue(entry), unit);
      default -> 0;
    };
  }

  private int set(int entry) {
    AttributeSets table = from.attributeSets();
    int[] members = new int[table.length(entry)];
    for (int k = 0; k < members.length; k++) {
      members[k] = attributes[table.attribute(entry, k)];
    }
    return into.attributeSets().intern(members);
  }
}
