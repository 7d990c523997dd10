/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A conversion as OpenTelemetry's classes decode it, with every index resolved. Always valid. */
final class Converted {
  private final ProfilesData data;
  private final ProfilesDictionary dictionary;

  /** One observation of a sample. */
  record Observation(
      List<Frame> stack, Map<String, Object> attributes, String link, long time, long value) {
    boolean hasFrame(String name) {
      return stack.stream().anyMatch(frame -> frame.name.endsWith(name));
    }
  }

  /** A frame, the innermost first in a stack. */
  record Frame(String name, long line, String type) {}

  Converted(byte[] bytes) {
    assertThat(OtlpProfileValidator.validate(bytes).findings()).isEmpty();
    try {
      data = ProfilesData.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
    dictionary = data.getDictionary();
  }

  static Converted of(Path... recordings) throws IOException {
    return of(ConversionOptions.defaults(), recordings);
  }

  static Converted of(ConversionOptions options, Path... recordings) throws IOException {
    JfrToOtlpConverter converter = new JfrToOtlpConverter(options);
    for (Path recording : recordings) {
      converter.addFile(recording);
    }
    return new Converted(converter.convert());
  }

  ProfilesData data() {
    return data;
  }

  List<Profile> profiles() {
    return data.getResourceProfiles(0).getScopeProfiles(0).getProfilesList();
  }

  Map<String, Object> resource() {
    Map<String, Object> attributes = new TreeMap<>();
    data.getResourceProfiles(0)
        .getResource()
        .getAttributesList()
        .forEach(attribute -> attributes.put(attribute.getKey(), value(attribute.getValue())));
    return attributes;
  }

  Optional<Profile> find(ProfileType type) {
    return profiles().stream()
        .filter(
            profile ->
                type.optionName()
                    .equals(attributes(profile.getAttributeIndicesList()).get("profile.type")))
        .findFirst();
  }

  Profile profile(ProfileType type) {
    return find(type).orElseThrow(() -> new AssertionError("no profile of type " + type));
  }

  String periodType(ProfileType type) {
    return dictionary.getStringTable(profile(type).getPeriodType().getTypeStrindex());
  }

  /** All observations of a type, none if there is no such profile. */
  List<Observation> observations(ProfileType type) {
    List<Observation> all = new ArrayList<>();
    for (var sample : find(type).map(Profile::getSamplesList).orElse(List.of())) {
      List<Frame> stack = stack(sample.getStackIndex());
      Map<String, Object> attributes = attributes(sample.getAttributeIndicesList());
      String link = link(dictionary.getLinkTable(sample.getLinkIndex()));
      int count = Math.max(sample.getTimestampsUnixNanoCount(), sample.getValuesCount());
      for (int i = 0; i < count; i++) {
        long time = sample.getTimestampsUnixNanoCount() == 0 ? 0 : sample.getTimestampsUnixNano(i);
        long value = sample.getValuesCount() == 0 ? 1 : sample.getValues(i);
        all.add(new Observation(stack, attributes, link, time, value));
      }
    }
    return all;
  }

  long total(ProfileType type) {
    return observations(type).stream().mapToLong(Observation::value).sum();
  }

  private List<Frame> stack(int index) {
    return dictionary.getStackTable(index).getLocationIndicesList().stream()
        .map(dictionary::getLocationTable)
        .map(this::frame)
        .toList();
  }

  private Frame frame(Location location) {
    var line = location.getLines(0);
    return new Frame(
        dictionary.getStringTable(
            dictionary.getFunctionTable(line.getFunctionIndex()).getNameStrindex()),
        line.getLine(),
        String.valueOf(attributes(location.getAttributeIndicesList()).get("profile.frame.type")));
  }

  private Map<String, Object> attributes(List<Integer> indices) {
    Map<String, Object> attributes = new TreeMap<>();
    for (int index : indices) {
      var attribute = dictionary.getAttributeTable(index);
      attributes.put(
          dictionary.getStringTable(attribute.getKeyStrindex()), value(attribute.getValue()));
    }
    return attributes;
  }

  private static Object value(AnyValue value) {
    return switch (value.getValueCase()) {
      case STRING_VALUE -> value.getStringValue();
      case INT_VALUE -> value.getIntValue();
      case BOOL_VALUE -> value.getBoolValue();
      default -> throw new AssertionError(value);
    };
  }

  private static String link(Link link) {
    return link.getTraceId().isEmpty() ? "" : hex(link.getTraceId()) + "/" + hex(link.getSpanId());
  }

  private static String hex(ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }
}
