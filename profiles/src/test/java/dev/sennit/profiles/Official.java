/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.JsonFormat;
import dev.sennit.otlp.AttributeValue;
import dev.sennit.profiles.dictionary.AttributeTable;
import dev.sennit.profiles.dictionary.LocationTable;
import dev.sennit.profiles.dictionary.ProfilesDictionary;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.profiles.v1development.KeyValueAndUnit;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Profiles said in words, with every index resolved, from the model and from the official classes:
 * if the words are equal, so is the content, however it is numbered.
 */
public final class Official {
  private Official() {}

  static List<String> describe(ProfilesData data) {
    List<String> lines = new ArrayList<>();
    ScopeProfiles scope = data.getResourceProfiles(0).getScopeProfiles(0);
    var dictionary = data.getDictionary();
    for (var profile : scope.getProfilesList()) {
      lines.add(
          "profile "
              + dictionary.getStringTable(profile.getSampleType().getTypeStrindex())
              + "/"
              + dictionary.getStringTable(profile.getSampleType().getUnitStrindex())
              + " "
              + dictionary.getStringTable(profile.getPeriodType().getTypeStrindex())
              + "/"
              + dictionary.getStringTable(profile.getPeriodType().getUnitStrindex())
              + " "
              + profile.getPeriod()
              + " "
              + profile.getTimeUnixNano()
              + "+"
              + profile.getDurationNano()
              + attributes(dictionary, profile.getAttributeIndicesList()));
      for (var sample : profile.getSamplesList()) {
        StringBuilder line = new StringBuilder("sample");
        for (int location :
            dictionary.getStackTable(sample.getStackIndex()).getLocationIndicesList()) {
          line.append(' ').append(location(dictionary, location));
        }
        line.append(attributes(dictionary, sample.getAttributeIndicesList()));
        var link = dictionary.getLinkTable(sample.getLinkIndex());
        line.append(hex(link.getTraceId())).append('/').append(hex(link.getSpanId()));
        line.append(sample.getValuesList()).append(sample.getTimestampsUnixNanoList());
        lines.add(line.toString());
      }
    }
    return lines;
  }

  private static String location(
      io.opentelemetry.proto.profiles.v1development.ProfilesDictionary dictionary, int index) {
    var location = dictionary.getLocationTable(index);
    var mapping = dictionary.getMappingTable(location.getMappingIndex());
    StringBuilder text = new StringBuilder("(");
    text.append(mapping.getMemoryStart()).append('-').append(mapping.getMemoryLimit());
    text.append('@').append(mapping.getFileOffset());
    text.append(dictionary.getStringTable(mapping.getFilenameStrindex()));
    text.append(attributes(dictionary, mapping.getAttributeIndicesList()));
    text.append(location.getAddress());
    for (var line : location.getLinesList()) {
      var function = dictionary.getFunctionTable(line.getFunctionIndex());
      text.append('|').append(dictionary.getStringTable(function.getNameStrindex()));
      text.append('|').append(dictionary.getStringTable(function.getSystemNameStrindex()));
      text.append('|').append(dictionary.getStringTable(function.getFilenameStrindex()));
      text.append(function.getStartLine()).append(':').append(line.getLine());
      text.append(':').append(line.getColumn());
    }
    return text.append(attributes(dictionary, location.getAttributeIndicesList())) + ")";
  }

  private static String attributes(
      io.opentelemetry.proto.profiles.v1development.ProfilesDictionary dictionary,
      List<Integer> indices) {
    TreeSet<String> all = new TreeSet<>();
    for (int index : indices) {
      KeyValueAndUnit attribute = dictionary.getAttributeTable(index);
      AnyValue value = attribute.getValue();
      String text =
          switch (value.getValueCase()) {
            case STRING_VALUE -> "'" + value.getStringValue() + "'";
            case INT_VALUE -> String.valueOf(value.getIntValue());
            case BOOL_VALUE -> String.valueOf(value.getBoolValue());
            case DOUBLE_VALUE -> String.valueOf(value.getDoubleValue());
            default -> throw new AssertionError(value);
          };
      all.add(
          dictionary.getStringTable(attribute.getKeyStrindex())
              + "="
              + text
              + dictionary.getStringTable(attribute.getUnitStrindex()));
    }
    return all.toString();
  }

  static List<String> describe(ProfileExport export) {
    List<String> lines = new ArrayList<>();
    ProfilesDictionary dictionary = export.dictionary();
    for (Profile profile : export.profiles()) {
      lines.add(
          "profile "
              + dictionary.strings().get(profile.sampleType())
              + "/"
              + dictionary.strings().get(profile.sampleUnit())
              + " "
              + dictionary.strings().get(profile.periodType())
              + "/"
              + dictionary.strings().get(profile.periodUnit())
              + " "
              + profile.period()
              + " "
              + profile.timeUnixNano()
              + "+"
              + profile.durationNano()
              + attributes(dictionary, profile.attributeSet()));
      for (int i = 0; i < profile.sampleCount(); i++) {
        StringBuilder line = new StringBuilder("sample");
        for (int k = 0; k < dictionary.stacks().length(profile.stack(i)); k++) {
          line.append(' ');
          line.append(location(dictionary, dictionary.stacks().location(profile.stack(i), k)));
        }
        line.append(attributes(dictionary, profile.attributeSet(i)));
        int link = profile.link(i);
        line.append(
            link == 0
                ? "/"
                : "%016x%016x/%016x"
                    .formatted(
                        dictionary.links().traceIdHigh(link),
                        dictionary.links().traceIdLow(link),
                        dictionary.links().spanId(link)));
        List<Long> values = new ArrayList<>();
        List<Long> timestamps = new ArrayList<>();
        for (int k = 0; k < profile.observations(i); k++) {
          if (profile.shape() != SampleShape.TIMESTAMPS) {
            values.add(profile.value(i, k));
          }
          if (profile.shape() != SampleShape.AGGREGATED) {
            timestamps.add(profile.timestamp(i, k));
          }
        }
        lines.add(line.append(values).append(timestamps).toString());
      }
    }
    return lines;
  }

  private static String location(ProfilesDictionary dictionary, int location) {
    LocationTable table = dictionary.locations();
    int mapping = table.mapping(location);
    StringBuilder text = new StringBuilder("(");
    text.append(dictionary.mappings().memoryStart(mapping)).append('-');
    text.append(dictionary.mappings().memoryLimit(mapping));
    text.append('@').append(dictionary.mappings().fileOffset(mapping));
    text.append(dictionary.strings().get(dictionary.mappings().filename(mapping)));
    text.append(attributes(dictionary, dictionary.mappings().attributeSet(mapping)));
    text.append(table.address(location));
    for (int k = 0; k < table.lineCount(location); k++) {
      int function = table.function(location, k);
      text.append('|');
      text.append(dictionary.strings().get(dictionary.functions().name(function))).append('|');
      text.append(dictionary.strings().get(dictionary.functions().systemName(function)));
      text.append('|');
      text.append(dictionary.strings().get(dictionary.functions().filename(function)));
      text.append(dictionary.functions().startLine(function)).append(':');
      text.append(table.line(location, k)).append(':').append(table.column(location, k));
    }
    return text.append(attributes(dictionary, table.attributeSet(location))) + ")";
  }

  private static String attributes(ProfilesDictionary dictionary, int set) {
    AttributeTable table = dictionary.attributes();
    TreeSet<String> all = new TreeSet<>();
    for (int k = 0; k < dictionary.attributeSets().length(set); k++) {
      int attribute = dictionary.attributeSets().attribute(set, k);
      String text =
          switch (table.kind(attribute)) {
            case STRING -> "'" + table.stringValue(attribute) + "'";
            case INT -> String.valueOf(table.intValue(attribute));
            case BOOL -> String.valueOf(table.boolValue(attribute));
            case DOUBLE -> String.valueOf(table.doubleValue(attribute));
            case NONE -> throw new AssertionError(attribute);
          };
      all.add(
          dictionary.strings().get(table.key(attribute))
              + "="
              + text
              + dictionary.strings().get(table.unit(attribute)));
    }
    return all.toString();
  }

  static AnyValue value(AttributeValue value) {
    return switch (value) {
      case AttributeValue.Text(String text) -> AnyValue.newBuilder().setStringValue(text).build();
      case AttributeValue.Flag(boolean flag) -> AnyValue.newBuilder().setBoolValue(flag).build();
      case AttributeValue.Whole(long number) -> AnyValue.newBuilder().setIntValue(number).build();
      case AttributeValue.Real(double real) -> AnyValue.newBuilder().setDoubleValue(real).build();
      case AttributeValue.Array array -> {
        ArrayValue.Builder values = ArrayValue.newBuilder();
        array.values().forEach(element -> values.addValues(value(element)));
        yield AnyValue.newBuilder().setArrayValue(values).build();
      }
    };
  }

  /** The proto3 mapping has base64 where OTLP has hex; but for that it is the judge. */
  public static ProfilesData parseJson(byte[] json) throws IOException {
    String text =
        Pattern.compile("(\"(?:traceId|spanId|profileId)\": ?)\"([0-9a-f]+)\"")
            .matcher(new String(json, StandardCharsets.UTF_8))
            .replaceAll(
                match ->
                    match.group(1)
                        + '"'
                        + Base64.getEncoder()
                            .encodeToString(HexFormat.of().parseHex(match.group(2)))
                        + '"');
    ProfilesData.Builder data = ProfilesData.newBuilder();
    JsonFormat.parser().merge(text, data);
    return data.build();
  }

  private static String hex(ByteString bytes) {
    StringBuilder text = new StringBuilder();
    ByteBuffer buffer = bytes.asReadOnlyByteBuffer();
    while (buffer.hasRemaining()) {
      text.append("%02x".formatted(buffer.get()));
    }
    return text.toString();
  }
}
