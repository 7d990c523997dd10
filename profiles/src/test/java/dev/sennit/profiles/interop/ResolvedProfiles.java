/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.interop;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What profiles say, in sorted lines: a line for each profile, for each sample, and for each entry
 * of the dictionary that they lead to. Indices are resolved, so two requests with the same lines
 * have the same content, however their tables are numbered and divided. It goes by the descriptors
 * of the messages and leaves no field out, also none that is yet to be invented.
 */
final class ResolvedProfiles {
  private final Map<String, Table> tables = new TreeMap<>();
  private final TreeSet<String> entries = new TreeSet<>();
  private final List<String> lines = new ArrayList<>();

  /**
   * A table of the dictionary.
   *
   * @param names what its entries are called, by index; those that nothing led to are missing
   */
  private record Table(String name, List<?> content, Map<Integer, String> names) {}

  private ResolvedProfiles(ProfilesData data) {
    data.getDictionary()
        .getDescriptorForType()
        .getFields()
        .forEach(
            field ->
                tables.put(
                    field.getName(),
                    new Table(
                        field.getName().replace("_table", ""),
                        (List<?>) data.getDictionary().getField(field),
                        new HashMap<>())));
    for (var resource : data.getResourceProfilesList()) {
      String ofResource = describe(resource.toBuilder().clearScopeProfiles().build());
      for (var scope : resource.getScopeProfilesList()) {
        String ofScope = describe(scope.toBuilder().clearProfiles().build());
        for (var profile : scope.getProfilesList()) {
          String head = ofResource + ofScope + describe(profile.toBuilder().clearSamples().build());
          String name = "profile " + digest(head.getBytes(StandardCharsets.UTF_8));
          lines.add(name + " = " + head);
          profile.getSamplesList().forEach(sample -> lines.add(name + " has " + describe(sample)));
        }
      }
    }
    lines.addAll(entries);
    Collections.sort(lines);
  }

  static ResolvedProfiles of(ProfilesData data) {
    return new ResolvedProfiles(data);
  }

  List<String> lines() {
    return lines;
  }

  /** Lines of which {@code other} has fewer: what was lost on the way there. */
  List<String> without(ResolvedProfiles other) {
    List<String> missing = new ArrayList<>();
    int at = 0;
    for (String line : lines) {
      while (at < other.lines.size() && other.lines.get(at).compareTo(line) < 0) {
        at++;
      }
      if (at < other.lines.size() && other.lines.get(at).equals(line)) {
        at++;
      } else {
        missing.add(line);
      }
    }
    return missing;
  }

  /** Entries of tables that nothing leads to; the first of a table is there in any case. */
  List<String> orphans() {
    List<String> orphans = new ArrayList<>();
    for (Table table : tables.values()) {
      for (int i = 1; i < table.content.size(); i++) {
        if (!table.names.containsKey(i)) {
          orphans.add(table.name + "[" + i + "]: " + table.content.get(i));
        }
      }
    }
    return orphans;
  }

  /** Entries of tables that say what an earlier one says. */
  List<String> duplicates() {
    List<String> duplicates = new ArrayList<>();
    for (Table table : tables.values()) {
      Map<String, Integer> seen = new HashMap<>();
      new TreeMap<>(table.names)
          .forEach(
              (index, name) -> {
                Integer first = seen.putIfAbsent(name, index);
                if (first != null) {
                  duplicates.add(table.name + "[" + index + "] is as [" + first + "]: " + name);
                }
              });
    }
    return duplicates;
  }

  private String describe(Message message) {
    TreeMap<String, String> fields = new TreeMap<>();
    message
        .getAllFields()
        .forEach(
            (field, value) -> {
              String text = describe(field, value);
              // Whether a message without content is there must not matter, says OTLP; but which of
              // several was chosen does.
              if (!text.isEmpty() || field.getContainingOneof() != null) {
                // A text may stand in the message or in the dictionary; a Collector changes that.
                fields.put(field.getName().replace("_strindex", ""), text);
              }
            });
    return fields.isEmpty() ? "" : fields.toString();
  }

  private String describe(FieldDescriptor field, Object value) {
    if (!field.isRepeated()) {
      return one(field, value);
    }
    List<String> all = new ArrayList<>();
    ((List<?>) value).forEach(element -> all.add(one(field, element)));
    if (field.getName().startsWith("attribute")) {
      Collections.sort(all);
    }
    return all.toString();
  }

  private String one(FieldDescriptor field, Object value) {
    String name = field.getName();
    if (name.endsWith("strindex")) {
      return resolve("string_table", (Integer) value);
    }
    if (name.endsWith("_index") || name.endsWith("_indices")) {
      return resolve(name.substring(0, name.lastIndexOf('_')) + "_table", (Integer) value);
    }
    return switch (value) {
      case Message message -> describe(message);
      case ByteString bytes when bytes.size() > 16 ->
          bytes.size() + " bytes " + digest(bytes.toByteArray());
      case ByteString bytes -> HexFormat.of().formatHex(bytes.toByteArray());
      case String text -> quote(text);
      default -> value.toString();
    };
  }

  private String resolve(String tableName, int index) {
    Table table = tables.get(tableName);
    if (table == null || index < 0 || index >= table.content.size()) {
      return "nothing, at " + tableName + "[" + index + "]";
    }
    String known = table.names.get(index);
    if (known != null) {
      return known;
    }
    String name;
    if (table.content.get(index) instanceof Message message) {
      String text = describe(message);
      name = table.name + " " + digest(text.getBytes(StandardCharsets.UTF_8));
      entries.add(name + " = " + text);
    } else {
      name = quote(table.content.get(index).toString());
    }
    table.names.put(index, name);
    return name;
  }

  private static String quote(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static String digest(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
