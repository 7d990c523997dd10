/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.profiles.v1development.Function;
import io.opentelemetry.proto.profiles.v1development.KeyValueAndUnit;
import io.opentelemetry.proto.profiles.v1development.Line;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Mapping;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import io.opentelemetry.proto.profiles.v1development.Stack;
import io.opentelemetry.proto.profiles.v1development.ValueType;
import io.opentelemetry.proto.resource.v1.Resource;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** A profile as others send it, of stacks that a test names; the outermost frame first. */
final class ProfileRequest {
  private final ProfilesDictionary.Builder dictionary =
      ProfilesDictionary.newBuilder()
          .addMappingTable(Mapping.getDefaultInstance())
          .addFunctionTable(Function.getDefaultInstance())
          .addLocationTable(Location.getDefaultInstance())
          .addStackTable(Stack.getDefaultInstance())
          .addLinkTable(Link.getDefaultInstance())
          .addAttributeTable(KeyValueAndUnit.getDefaultInstance());
  private final Map<String, Integer> strings = new HashMap<>();
  private final Map<String, Integer> locations = new HashMap<>();
  private final Map<String, Integer> attributes = new HashMap<>();
  private final Profile.Builder profile = Profile.newBuilder();
  private final String service;

  ProfileRequest(String service, String type, String unit) {
    this.service = service;
    string("");
    profile.setSampleType(
        ValueType.newBuilder().setTypeStrindex(string(type)).setUnitStrindex(string(unit)));
  }

  /**
   * @param time milliseconds since 1970
   * @param thread may be empty
   * @param frames native ones end with {@code ()}, those of the kernel with {@code [k]}
   */
  ProfileRequest add(long time, long value, String thread, List<String> frames) {
    return add(time, value, thread, "", "", frames);
  }

  ProfileRequest add(
      long time, long value, String thread, String trace, String span, List<String> frames) {
    Stack.Builder stack = Stack.newBuilder();
    frames.reversed().forEach(frame -> stack.addLocationIndices(location(frame)));
    dictionary.addStackTable(stack);
    Sample.Builder sample =
        Sample.newBuilder()
            .setStackIndex(dictionary.getStackTableCount() - 1)
            .addTimestampsUnixNano(time * 1_000_000)
            .addValues(value);
    if (!thread.isEmpty()) {
      sample.addAttributeIndices(attribute("thread.name", thread));
    }
    if (!trace.isEmpty()) {
      dictionary.addLinkTable(Link.newBuilder().setTraceId(id(trace)).setSpanId(id(span)));
      sample.setLinkIndex(dictionary.getLinkTableCount() - 1);
    }
    profile.addSamples(sample);
    return this;
  }

  ExportProfilesServiceRequest build() {
    return ExportProfilesServiceRequest.newBuilder()
        .setDictionary(dictionary)
        .addResourceProfiles(
            ResourceProfiles.newBuilder()
                .setResource(
                    Resource.newBuilder()
                        .addAttributes(
                            KeyValue.newBuilder().setKey("service.name").setValue(text(service))))
                .addScopeProfiles(ScopeProfiles.newBuilder().addProfiles(profile)))
        .build();
  }

  static ByteString id(String hex) {
    return ByteString.copyFrom(HexFormat.of().parseHex(hex));
  }

  private int location(String frame) {
    return locations.computeIfAbsent(
        frame,
        fresh -> {
          String kind = frame.endsWith("()") ? "native" : frame.endsWith("[k]") ? "kernel" : "jvm";
          dictionary.addFunctionTable(
              Function.newBuilder()
                  .setNameStrindex(string(fresh))
                  .setFilenameStrindex(string("Source.java")));
          dictionary.addLocationTable(
              Location.newBuilder()
                  .addLines(
                      Line.newBuilder()
                          .setFunctionIndex(dictionary.getFunctionTableCount() - 1)
                          .setLine(7))
                  .addAttributeIndices(attribute("profile.frame.type", kind)));
          return dictionary.getLocationTableCount() - 1;
        });
  }

  private int attribute(String key, String value) {
    return attributes.computeIfAbsent(
        key + "=" + value,
        fresh -> {
          dictionary.addAttributeTable(
              KeyValueAndUnit.newBuilder().setKeyStrindex(string(key)).setValue(text(value)));
          return dictionary.getAttributeTableCount() - 1;
        });
  }

  private int string(String text) {
    return strings.computeIfAbsent(
        text,
        fresh -> {
          dictionary.addStringTable(fresh);
          return dictionary.getStringTableCount() - 1;
        });
  }

  private static AnyValue text(String value) {
    return AnyValue.newBuilder().setStringValue(value).build();
  }
}
