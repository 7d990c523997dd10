/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.format;

import dev.sennit.otlp.ProtobufEncoder;
import dev.sennit.profiles.Profile;
import dev.sennit.profiles.ProfileExport;
import dev.sennit.profiles.dictionary.AttributeTable;
import dev.sennit.profiles.dictionary.FunctionTable;
import dev.sennit.profiles.dictionary.LinkTable;
import dev.sennit.profiles.dictionary.LocationTable;
import dev.sennit.profiles.dictionary.MappingTable;
import dev.sennit.profiles.dictionary.ProfilesDictionary;
import dev.sennit.profiles.dictionary.StringTable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.BitSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPOutputStream;

/**
 * Writes pprof's {@code profile.proto}, compressed as its tools expect it. Every profile of an
 * export is a sample type of the one that is written, and a sample has a value for its own alone.
 * Times of single events have no place in it: a sample is a sum.
 */
public final class PprofWriter {
  private static final int DRAIN = 1 << 16;

  private final ProfilesDictionary dictionary;
  private final List<Profile> profiles;
  private final ProtobufEncoder encoder = new ProtobufEncoder(2 * DRAIN);
  private final OutputStream out;
  private final StringTable strings = new StringTable();
  private final BitSet locations = new BitSet();
  private final BitSet functions = new BitSet();
  private final BitSet mappings = new BitSet();

  /** Fields of the messages of {@code profile.proto}, in its order. */
  private static final class Field {
    static final int SAMPLE_TYPE = 1;
    static final int SAMPLE = 2;
    static final int MAPPING = 3;
    static final int LOCATION = 4;
    static final int FUNCTION = 5;
    static final int STRING_TABLE = 6;
    static final int TIME_NANOS = 9;
    static final int DURATION_NANOS = 10;
    static final int PERIOD_TYPE = 11;
    static final int PERIOD = 12;
    static final int DEFAULT_SAMPLE_TYPE = 14;
    static final int SAMPLE_LOCATION = 1;
    static final int SAMPLE_VALUE = 2;
    static final int SAMPLE_LABEL = 3;
    static final int LABEL_KEY = 1;
    static final int LABEL_STRING = 2;
    static final int LABEL_NUMBER = 3;
    static final int LABEL_UNIT = 4;
    static final int LOCATION_LINE = 4;
  }

  private PprofWriter(ProfileExport export, OutputStream out) {
    this.dictionary = export.dictionary();
    this.profiles = export.profiles();
    this.out = out;
  }

  /** Writes all profiles of an export as one; the stream is flushed and left open. */
  public static void write(ProfileExport export, OutputStream out) throws IOException {
    GZIPOutputStream gzip = new GZIPOutputStream(out, DRAIN);
    new PprofWriter(export, gzip).write(export);
    gzip.finish();
    out.flush();
  }

  private void write(ProfileExport export) throws IOException {
    Set<String> taken = new HashSet<>();
    int defaultType = 0;
    for (Profile profile : profiles) {
      String type = text(profile.sampleType());
      // Tools choose among sample types by name.
      String name = taken.add(type) ? type : ProfileName.of(export, profile);
      valueType(Field.SAMPLE_TYPE, name, text(profile.sampleUnit()));
      defaultType = defaultType == 0 ? strings.intern(name) : defaultType;
    }
    for (int column = 0; column < profiles.size(); column++) {
      samples(profiles.get(column), column);
    }
    locations();
    functions();
    mappings();
    head(defaultType);
    for (int i = 0; i < strings.size(); i++) {
      encoder.writeString(Field.STRING_TABLE, strings.get(i));
      drain();
    }
    encoder.drainTo(out);
  }

  private void head(int defaultType) {
    Profile first = profiles.getFirst();
    long start = first.timeUnixNano();
    long end = start + first.durationNano();
    for (Profile profile : profiles) {
      start = Math.min(start, profile.timeUnixNano());
      end = Math.max(end, profile.timeUnixNano() + profile.durationNano());
    }
    number(Field.TIME_NANOS, start);
    number(Field.DURATION_NANOS, end - start);
    if (first.period() != 0) {
      valueType(Field.PERIOD_TYPE, text(first.periodType()), text(first.periodUnit()));
      number(Field.PERIOD, first.period());
    }
    number(Field.DEFAULT_SAMPLE_TYPE, defaultType);
  }

  private void samples(Profile profile, int column) throws IOException {
    long[] values = new long[profiles.size()];
    for (int i = 0; i < profile.sampleCount(); i++) {
      int sample = encoder.beginMessage(Field.SAMPLE);
      int stack = profile.stack(i);
      int depth = dictionary.stacks().length(stack);
      int[] ids = new int[depth];
      int count = 0;
      for (int k = 0; k < depth; k++) {
        int location = dictionary.stacks().location(stack, k);
        if (location != 0) {
          ids[count++] = location;
          locations.set(location);
        }
      }
      encoder.writePackedVarintField(Field.SAMPLE_LOCATION, ids, 0, count);
      values[column] = StackTree.sum(profile, i);
      encoder.writePackedVarintField(Field.SAMPLE_VALUE, values, 0, values.length);
      labels(profile.attributeSet(i));
      link(profile.link(i));
      encoder.endMessage(sample);
      drain();
    }
  }

  private void labels(int set) {
    AttributeTable attributes = dictionary.attributes();
    for (int k = 0; k < dictionary.attributeSets().length(set); k++) {
      int attribute = dictionary.attributeSets().attribute(set, k);
      String key = text(attributes.key(attribute));
      switch (attributes.kind(attribute)) {
        case STRING ->
            label(key.equals("thread.name") ? "thread" : key, attributes.stringValue(attribute));
        case BOOL -> label(key, Boolean.toString(attributes.boolValue(attribute)));
        case DOUBLE -> label(key, Double.toString(attributes.doubleValue(attribute)));
        case INT -> {
          int label = encoder.beginMessage(Field.SAMPLE_LABEL);
          number(Field.LABEL_KEY, strings.intern(key));
          number(Field.LABEL_NUMBER, attributes.intValue(attribute));
          number(Field.LABEL_UNIT, strings.intern(text(attributes.unit(attribute))));
          encoder.endMessage(label);
        }
        case NONE -> {}
      }
    }
  }

  private void link(int link) {
    if (link != 0) {
      LinkTable links = dictionary.links();
      HexFormat hex = HexFormat.of();
      label(
          "trace id",
          hex.toHexDigits(links.traceIdHigh(link)) + hex.toHexDigits(links.traceIdLow(link)));
      label("span id", hex.toHexDigits(links.spanId(link)));
    }
  }

  private void label(String key, String value) {
    int label = encoder.beginMessage(Field.SAMPLE_LABEL);
    number(Field.LABEL_KEY, strings.intern(key));
    number(Field.LABEL_STRING, strings.intern(value));
    encoder.endMessage(label);
  }

  private void locations() throws IOException {
    LocationTable table = dictionary.locations();
    for (int i = locations.nextSetBit(0); i >= 0; i = locations.nextSetBit(i + 1)) {
      int location = encoder.beginMessage(Field.LOCATION);
      number(1, i);
      number(2, table.mapping(i));
      number(3, table.address(i));
      if (table.mapping(i) != 0) {
        mappings.set(table.mapping(i));
      }
      for (int k = 0; k < table.lineCount(i); k++) {
        int line = encoder.beginMessage(Field.LOCATION_LINE);
        number(1, table.function(i, k));
        number(2, table.line(i, k));
        number(3, table.column(i, k));
        encoder.endMessage(line);
        if (table.function(i, k) != 0) {
          functions.set(table.function(i, k));
        }
      }
      encoder.endMessage(location);
      drain();
    }
  }

  private void functions() throws IOException {
    FunctionTable table = dictionary.functions();
    for (int i = functions.nextSetBit(0); i >= 0; i = functions.nextSetBit(i + 1)) {
      int function = encoder.beginMessage(Field.FUNCTION);
      int systemName = table.systemName(i) != 0 ? table.systemName(i) : table.name(i);
      number(1, i);
      number(2, strings.intern(text(table.name(i))));
      number(3, strings.intern(text(systemName)));
      number(4, strings.intern(text(table.filename(i))));
      number(5, table.startLine(i));
      encoder.endMessage(function);
      drain();
    }
  }

  private void mappings() {
    MappingTable table = dictionary.mappings();
    for (int i = mappings.nextSetBit(0); i >= 0; i = mappings.nextSetBit(i + 1)) {
      int mapping = encoder.beginMessage(Field.MAPPING);
      number(1, i);
      number(2, table.memoryStart(i));
      number(3, table.memoryLimit(i));
      number(4, table.fileOffset(i));
      number(5, strings.intern(text(table.filename(i))));
      encoder.endMessage(mapping);
    }
  }

  private void valueType(int field, String type, String unit) {
    int message = encoder.beginMessage(field);
    number(1, strings.intern(type));
    number(2, strings.intern(unit));
    encoder.endMessage(message);
  }

  private void number(int field, long value) {
    if (value != 0) {
      encoder.writeVarintField(field, value);
    }
  }

  private String text(int index) {
    return dictionary.strings().get(index);
  }

  private void drain() throws IOException {
    if (encoder.size() > DRAIN) {
      encoder.drainTo(out);
    }
  }
}
