/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

import dev.sennit.store.write.Rows.FrameRow;
import dev.sennit.store.write.Rows.StackRow;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.profiles.v1development.Function;
import io.opentelemetry.proto.profiles.v1development.KeyValueAndUnit;
import io.opentelemetry.proto.profiles.v1development.Line;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Mapping;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The dictionary of a request: what its indices stand for, each stack looked up once. */
final class ProfileTables {
  /** A stack of more is the work of a runaway recursion, or of somebody who means harm. */
  private static final int DEEPEST = 2048;

  private static final String FRAME_KIND = "profile.frame.type";

  /** What runs a virtual thread on its carrier: as Java writes it, and as the JVM does. */
  private static final List<String> CARRYING =
      List.of("java.lang.VirtualThread.run", "java/lang/VirtualThread.run");

  private final ProfilesDictionary dictionary;
  private final Batch batch;
  private final ContentHash hash = new ContentHash();
  private final Map<Integer, Long> stackIds = new HashMap<>();
  private final Map<Integer, List<Long>> framesOfLocations = new HashMap<>();
  private final Map<Long, Boolean> carryingStacks = new HashMap<>();

  ProfileTables(ProfilesDictionary dictionary, Batch batch) {
    this.dictionary = dictionary;
    this.batch = batch;
  }

  /** An index points to nothing. */
  static final class Dangling extends Exception {
    private static final long serialVersionUID = 1;

    Dangling(String table, int index, int size) {
      super("index " + index + " into a " + table + " of " + size);
    }
  }

  String text(int index) throws Dangling {
    return entry("string table", dictionary.getStringTableList(), index);
  }

  Link link(int index) throws Dangling {
    // Nobody needs the first entry, which says that there is no link, and some leave it out.
    return index == 0
        ? Link.getDefaultInstance()
        : entry("link table", dictionary.getLinkTableList(), index);
  }

  /** Attributes by their indices, in their order. */
  List<KeyValue> attributes(List<Integer> indices) throws Dangling {
    List<KeyValue> attributes = new ArrayList<>();
    for (int index : indices) {
      KeyValueAndUnit entry = entry("attribute table", dictionary.getAttributeTableList(), index);
      attributes.add(
          KeyValue.newBuilder()
              .setKey(text(entry.getKeyStrindex()))
              .setValue(resolved(entry.getValue()))
              .build());
    }
    return attributes;
  }

  private AnyValue resolved(AnyValue value) throws Dangling {
    return value.hasStringValueStrindex()
        ? AnyValue.newBuilder().setStringValue(text(value.getStringValueStrindex())).build()
        : value;
  }

  /** The id of a stack, which from now on is in the batch. */
  long stack(int index) throws Dangling {
    @Nullable Long known = stackIds.get(index);
    if (known != null) {
      return known;
    }
    List<Long> frames = new ArrayList<>();
    for (int location :
        entry("stack table", dictionary.getStackTableList(), index).getLocationIndicesList()) {
      if (frames.size() >= DEEPEST) {
        break;
      }
      frames.addAll(frames(location));
    }
    long id = hash.of(frames);
    batch.stacks.putIfAbsent(id, new StackRow(id, frames));
    stackIds.put(index, id);
    return id;
  }

  /** Whether a carrier ran a virtual thread, whatever thread the sample names. */
  boolean onVirtualThread(int index) throws Dangling {
    return carryingStacks.computeIfAbsent(stack(index), this::isCarrying);
  }

  private boolean isCarrying(long stackId) {
    @Nullable StackRow stack = batch.stacks.get(stackId);
    return stack != null
        && stack.frameIds().stream()
            .map(batch.frames::get)
            .anyMatch(frame -> frame != null && CARRYING.stream().anyMatch(frame.name()::contains));
  }

  /** Several where calls were inlined: the innermost first, as in stacks. */
  private List<Long> frames(int index) throws Dangling {
    @Nullable List<Long> known = framesOfLocations.get(index);
    if (known != null) {
      return known;
    }
    Location location = entry("location table", dictionary.getLocationTableList(), index);
    @Nullable String kind =
        Attributes.text(attributes(location.getAttributeIndicesList()), FRAME_KIND);
    List<Long> frames = new ArrayList<>();
    for (Line line : location.getLinesList()) {
      Function function =
          entry("function table", dictionary.getFunctionTableList(), line.getFunctionIndex());
      String name = text(function.getNameStrindex());
      frames.add(
          frame(
              name.isEmpty() ? text(function.getSystemNameStrindex()) : name,
              text(function.getFilenameStrindex()),
              line.getLine(),
              kind));
    }
    if (frames.isEmpty()) {
      frames.add(frame("0x" + Long.toHexString(location.getAddress()), file(location), 0, kind));
    }
    framesOfLocations.put(index, frames);
    return frames;
  }

  private String file(Location location) throws Dangling {
    if (location.getMappingIndex() == 0) {
      return "";
    }
    Mapping mapping =
        entry("mapping table", dictionary.getMappingTableList(), location.getMappingIndex());
    return text(mapping.getFilenameStrindex());
  }

  private long frame(String name, String file, long line, @Nullable String kind) {
    long id = hash.of(name, file, line, kind);
    batch.frames.computeIfAbsent(
        id,
        fresh ->
            new FrameRow(
                fresh, name, Origin.textOrNull(file), line > 0 ? (Long) line : null, kind));
    return id;
  }

  private static <T> T entry(String table, List<T> entries, int index) throws Dangling {
    if (index < 0 || index >= entries.size()) {
      throw new Dangling(table, index, entries.size());
    }
    return entries.get(index);
  }
}
