/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.profiles.dictionary.AttributeSets;
import dev.sennit.profiles.dictionary.FunctionTable;
import dev.sennit.profiles.dictionary.LinkTable;
import dev.sennit.profiles.dictionary.LocationTable;
import dev.sennit.profiles.dictionary.MappingTable;
import dev.sennit.profiles.dictionary.StackTable;
import dev.sennit.profiles.dictionary.StringTable;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a dictionary: entry 0 is the zero value, each entry stands once, every reference
 * leads somewhere, keys are unique in a list of attributes. It also notes what is referred to, for
 * {@link #checkOrphans} when everything was seen.
 *
 * <p>Whether an entry is there already is asked of the tables that intern: they hold what is unique
 * and nothing else.
 */
final class DictionaryRules implements DictionaryView.Visitor {
  private static final int FEW = 16;

  private Findings findings;
  private final Map<Table, Integer> sizes = new EnumMap<>(Table.class);
  private final Map<Table, BitSet> referred = new EnumMap<>(Table.class);
  private final Map<Table, IntList> firsts = new EnumMap<>(Table.class);
  private final StringTable strings = new StringTable();
  private final StringTable attributeTexts = new StringTable();
  private final AttributeSets attributeSets = new AttributeSets();
  private final MappingTable mappings = new MappingTable();
  private final FunctionTable functions = new FunctionTable();
  private final LocationTable locations = new LocationTable();
  private final LinkTable links = new LinkTable();
  private final StackTable stacks = new StackTable();

  /** By string: the first equal one, so that keys are compared by content. */
  private int[] canonicalStrings = {};

  /** By attribute: its key, canonical. */
  private int[] keys = {};

  private long[] mappingStarts = {};
  private long[] mappingLimits = {};

  DictionaryRules(Findings findings) {
    this.findings = findings;
  }

  void check(DictionaryView view) throws MalformedProfileException {
    for (Table table : Table.values()) {
      sizes.put(table, view.size(table));
      referred.put(table, new BitSet());
      IntList first = new IntList();
      first.add(0);
      firsts.put(table, first);
    }
    canonicalStrings = new int[size(Table.STRING)];
    keys = new int[size(Table.ATTRIBUTE)];
    mappingStarts = new long[size(Table.MAPPING)];
    mappingLimits = new long[size(Table.MAPPING)];
    for (Table table : Table.values()) {
      if (size(table) == 0) {
        findings.error(table.toString(), "is empty; index 0 has to be there, the zero value");
      }
      view.show(table, this);
    }
  }

  /** The same rules, complaining elsewhere from now on. */
  DictionaryRules reportingTo(Findings other) {
    findings = other;
    return this;
  }

  /** Complains of every entry that nothing refers to. */
  void checkOrphans(boolean asError) {
    for (Table table : Table.values()) {
      BitSet seen = reached(table);
      int size = size(table);
      for (int i = seen.nextClearBit(1); i < size; i = seen.nextClearBit(i + 1)) {
        String problem = "is an orphan: nothing refers to it";
        if (asError) {
          findings.error(table.at(i), problem);
        } else {
          findings.warning(table.at(i), problem + ", and it will not be written");
        }
      }
    }
  }

  /** Notes a reference; complains if it leads nowhere. */
  void refer(String where, String field, Table table, int index) {
    if (index == 0) {
      return;
    }
    if (index < 0 || index >= size(table)) {
      findings.error(
          where, field + " is " + index + ", but " + table + " has " + size(table) + " entries");
    } else {
      reached(table).set(index);
    }
  }

  /** The rules of a list of attributes: each is there, and no two have the same key. */
  void checkAttributes(String where, IntList attributes) {
    Set<Integer> many = attributes.size > FEW ? new HashSet<>() : Set.of();
    for (int i = 0; i < attributes.size; i++) {
      int attribute = attributes.values[i];
      refer(where, "attribute_indices[" + i + "]", Table.ATTRIBUTE, attribute);
      if (attribute == 0) {
        findings.warning(where, "attribute_indices[" + i + "] is 0, which is no attribute");
      }
      if (attribute <= 0 || attribute >= keys.length) {
        continue;
      }
      boolean twice = attributes.size > FEW && !many.add(keys[attribute]);
      for (int j = 0; j < i && attributes.size <= FEW; j++) {
        int other = attributes.values[j];
        twice |= other > 0 && other < keys.length && keys[other] == keys[attribute];
      }
      if (twice) {
        findings.error(
            where,
            "attribute_indices["
                + i
                + "] is "
                + attribute
                + ", whose key "
                + key(attribute)
                + " another in the list has too");
      }
    }
  }

  @Override
  public void string(int index, String value) {
    if (index == 0 && !value.isEmpty()) {
      findings.error(Table.STRING.at(0), "is \"" + shortened(value) + "\", but has to be empty");
    }
    int known = strings.size();
    canonicalStrings[index] =
        unique(Table.STRING, index, strings.intern(value), known, "\"" + shortened(value) + "\"");
  }

  @Override
  public void attribute(int index, int key, @Nullable String value, int unit) {
    String where = Table.ATTRIBUTE.at(index);
    refer(where, "key_strindex", Table.STRING, key);
    refer(where, "unit_strindex", Table.STRING, unit);
    keys[index] = key > 0 && key < canonicalStrings.length ? canonicalStrings[key] : 0;
    if (index == 0) {
      zero(Table.ATTRIBUTE, key == 0 && unit == 0 && value == null);
      return;
    }
    if (key == 0) {
      findings.error(where, "has no key");
    }
    if (value == null) {
      findings.warning(where, "has the key " + key(index) + " and no value");
    }
    int known = attributeTexts.size();
    String text = key + "/" + unit + "/" + value;
    unique(Table.ATTRIBUTE, index, attributeTexts.intern(text), known, "key " + key(index));
  }

  @Override
  public void stringInAttribute(int index, int string) {
    refer(Table.ATTRIBUTE.at(index), "string_value_strindex", Table.STRING, string);
  }

  @Override
  public void mapping(
      int index, long start, long limit, long offset, int filename, IntList attributes) {
    String where = Table.MAPPING.at(index);
    refer(where, "filename_strindex", Table.STRING, filename);
    checkAttributes(where, attributes);
    mappingStarts[index] = start;
    mappingLimits[index] = limit;
    int known = mappings.size();
    int set = attributeSets.intern(attributes.values, 0, attributes.size);
    int entry = mappings.intern(start, limit, offset, filename, set);
    if (index == 0) {
      zero(Table.MAPPING, entry == 0 && attributes.size == 0);
    } else if ((start | limit) != 0 && Long.compareUnsigned(start, limit) >= 0) {
      findings.error(
          where,
          "memory_start 0x"
              + Long.toHexString(start)
              + " is not below memory_limit 0x"
              + Long.toHexString(limit));
    }
    unique(Table.MAPPING, index, entry, known, "filename_strindex " + filename);
  }

  @Override
  public void function(int index, int name, int systemName, int filename, long startLine) {
    String where = Table.FUNCTION.at(index);
    refer(where, "name_strindex", Table.STRING, name);
    refer(where, "system_name_strindex", Table.STRING, systemName);
    refer(where, "filename_strindex", Table.STRING, filename);
    int known = functions.size();
    int entry = functions.intern(name, systemName, filename, startLine);
    if (index == 0) {
      zero(Table.FUNCTION, entry == 0);
    } else if ((name | systemName | filename) == 0) {
      findings.warning(where, "has no name, no system name and no file");
    }
    if (startLine < 0) {
      findings.error(where, "start_line is " + startLine + ", below 0");
    }
    unique(Table.FUNCTION, index, entry, known, "name_strindex " + name);
  }

  @Override
  public void location(int index, DictionaryView.LocationEntry location) {
    String where = Table.LOCATION.at(index);
    refer(where, "mapping_index", Table.MAPPING, location.mapping);
    for (int k = 0; k < location.functions.size; k++) {
      String line = where + ".lines[" + k + "]";
      refer(line, "function_index", Table.FUNCTION, location.functions.values[k]);
      notNegative(line, "line", location.lines.values[k]);
      notNegative(line, "column", location.columns.values[k]);
    }
    checkAttributes(where, location.attributes);
    checkAddress(where, location);
    int known = locations.size();
    int entry =
        locations.intern(
            location.mapping,
            location.address,
            location.functions.values,
            location.lines.values,
            location.columns.values,
            0,
            location.functions.size,
            attributeSets.intern(location.attributes.values, 0, location.attributes.size));
    if (index == 0) {
      zero(Table.LOCATION, entry == 0 && location.attributes.size == 0);
    }
    unique(Table.LOCATION, index, entry, known, "address 0x" + Long.toHexString(location.address));
  }

  @Override
  public void link(
      int index, int traceIdLength, int spanIdLength, long traceHigh, long traceLow, long span) {
    String where = Table.LINK.at(index);
    boolean zeroIds = (traceHigh | traceLow | span) == 0;
    boolean lengths = traceIdLength == 16 && spanIdLength == 8;
    if (index == 0) {
      boolean empty = traceIdLength == 0 && spanIdLength == 0;
      zero(Table.LINK, empty || (lengths && zeroIds));
      if (lengths && zeroIds) {
        findings.warning(where, "has ids of zeros, which profcheck refuses; empty ids are safe");
      }
      return;
    }
    if (!lengths) {
      findings.error(
          where,
          "trace_id has "
              + traceIdLength
              + " bytes and span_id "
              + spanIdLength
              + ", but they have to have 16 and 8");
      return;
    }
    if ((traceHigh | traceLow) == 0) {
      findings.error(where, "trace_id is all zero");
    }
    if (span == 0) {
      findings.error(where, "span_id is all zero");
    }
    int known = links.size();
    String text = "span_id " + Long.toHexString(span);
    unique(Table.LINK, index, links.intern(traceHigh, traceLow, span), known, text);
  }

  @Override
  public void stack(int index, IntList list) {
    String where = Table.STACK.at(index);
    for (int k = 0; k < list.size; k++) {
      refer(where, "location_indices[" + k + "]", Table.LOCATION, list.values[k]);
    }
    int known = stacks.size();
    int entry = stacks.intern(list.values, 0, list.size);
    if (index == 0) {
      zero(Table.STACK, entry == 0);
    }
    unique(Table.STACK, index, entry, known, list.size + " locations");
  }

  private void checkAddress(String where, DictionaryView.LocationEntry location) {
    int mapping = location.mapping;
    if (mapping <= 0 || mapping >= mappingLimits.length || mappingLimits[mapping] == 0) {
      return;
    }
    if (Long.compareUnsigned(location.address, mappingStarts[mapping]) < 0
        || Long.compareUnsigned(location.address, mappingLimits[mapping]) >= 0) {
      findings.warning(
          where,
          "address 0x"
              + Long.toHexString(location.address)
              + " is not in its "
              + Table.MAPPING.at(mapping)
              + ", 0x"
              + Long.toHexString(mappingStarts[mapping])
              + " to 0x"
              + Long.toHexString(mappingLimits[mapping]));
    }
  }

  private void notNegative(String where, String field, long value) {
    if (value < 0) {
      findings.error(where, field + " is " + value + ", below 0");
    }
  }

  private void zero(Table table, boolean isZero) {
    if (!isZero) {
      findings.error(table.at(0), "is not the zero value");
    }
  }

  /** Complains if an interned entry is not new; the result is the first index that is equal. */
  private int unique(Table table, int index, int entry, int known, String what) {
    IntList first = list(table);
    if (entry >= known) {
      // A non-zero entry 0 was complained of; that it is new is no matter.
      first.add(index);
      return index;
    }
    int equal = first.values[entry];
    if (index != equal) {
      findings.error(table.at(index), "is a duplicate of " + table.at(equal) + ": " + what);
    }
    return equal;
  }

  private String key(int attribute) {
    return "\"" + shortened(strings.get(entryOf(keys[attribute]))) + "\"";
  }

  /** The interned entry of a canonical string index. */
  private int entryOf(int canonical) {
    IntList first = list(Table.STRING);
    int entry = Arrays.binarySearch(first.values, 0, first.size, canonical);
    return Math.max(entry, 0);
  }

  private static String shortened(String text) {
    return text.length() <= 80 ? text : text.substring(0, 80) + "...";
  }

  private int size(Table table) {
    return sizes.getOrDefault(table, 0);
  }

  private BitSet reached(Table table) {
    return referred.computeIfAbsent(table, t -> new BitSet());
  }

  private IntList list(Table table) {
    return firsts.computeIfAbsent(table, t -> new IntList());
  }
}
