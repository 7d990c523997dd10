/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.sennit.otlp.AttributeValue;
import dev.sennit.profiles.ConversionOptions;
import dev.sennit.profiles.Fixtures;
import dev.sennit.profiles.JfrToOtlpConverter;
import dev.sennit.profiles.Kind;
import dev.sennit.profiles.OtlpProfileWriter;
import dev.sennit.profiles.ProfileExport;
import dev.sennit.profiles.ProfileType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/** Everything that the converter can make of recordings. */
final class InteropOutputs {
  private static final ConversionOptions ALL = ConversionOptions.defaults();

  /** A recording of a busy machine may have a sample or two, and a sample is never divided. */
  private static final int LARGEST_SAMPLE = 32 << 10;

  private static final String MERGED = "all merged";

  private final List<Output> outputs = new ArrayList<>();

  private InteropOutputs() {}

  static List<Output> of(Map<String, Path> recordings) throws IOException {
    InteropOutputs all = new InteropOutputs();
    for (Map.Entry<String, Path> recording : recordings.entrySet()) {
      all.add(recording.getKey(), List.of(recording.getValue()));
    }
    all.add(MERGED, recordings.values());
    all.addTypes(recordings.values());
    all.addWhole("by hand", Fixtures.export(1, 200), Kind.values());
    return all.outputs;
  }

  private void add(String name, Collection<Path> recordings) throws IOException {
    ProfileExport export = convert(ALL, recordings);
    addWhole(name, export, Kind.values());
    addDivided(name, export, Kind.values());
    ProfileExport sums = convert(ALL.withAggregate(true), recordings);
    addWhole(name + ", aggregated", sums, Kind.values());
    addWhole(
        name + ", with the recording",
        convert(ALL.withOriginalPayload(true), recordings),
        Kind.PROTO,
        Kind.JSON);
    addWhole(
        name + ", with descriptors and a resource",
        convert(
            ALL.withDescriptors(true)
                .withResource(
                    Map.of(
                        "service.name", AttributeValue.of("shop \u00fc\u4e2d \"1\""),
                        "replicas", AttributeValue.of(3L),
                        "process.command_args", AttributeValue.ofStrings(List.of("a", "")))),
            recordings),
        Kind.PROTO,
        Kind.JSON);
    addWhole(name + ", half of its time", convertHalf(export, recordings), Kind.PROTO, Kind.JSON);
  }

  private void addTypes(Collection<Path> recordings) throws IOException {
    for (ProfileType type : ProfileType.values()) {
      ConversionOptions options = ALL.withTypes(EnumSet.of(type));
      String name = "only " + type.optionName();
      addWhole(name, convert(options, recordings), Kind.values());
      addWhole(
          name + ", aggregated",
          convert(options.withAggregate(true), recordings),
          Kind.PROTO,
          Kind.JSON);
    }
  }

  private void addWhole(String name, ProfileExport export, Kind... kinds) {
    for (Kind kind : kinds) {
      outputs.add(
          new Output(name, kind, ByteString.copyFrom(OtlpProfileWriter.toByteArray(export, kind))));
    }
  }

  private void addDivided(String name, ProfileExport export, Kind... kinds) throws IOException {
    for (Kind kind : kinds) {
      int whole = OtlpProfileWriter.toByteArray(export, kind).length;
      List<ByteArrayOutputStream> parts = new ArrayList<>();
      OtlpProfileWriter.writeSplit(
          export,
          kind,
          Math.max(whole / 2, LARGEST_SAMPLE),
          part -> {
            parts.add(new ByteArrayOutputStream());
            return parts.getLast();
          });
      assertThat(parts.size()).isGreaterThan(name.equals(MERGED) ? 1 : 0);
      for (int i = 0; i < parts.size(); i++) {
        String part = name + ", part " + (i + 1) + " of " + parts.size();
        outputs.add(new Output(part, kind, ByteString.copyFrom(parts.get(i).toByteArray())));
      }
    }
  }

  private static ProfileExport convert(ConversionOptions options, Collection<Path> recordings)
      throws IOException {
    JfrToOtlpConverter converter = new JfrToOtlpConverter(options);
    recordings.forEach(converter::addFile);
    return converter.read();
  }

  private static ProfileExport convertHalf(ProfileExport whole, Collection<Path> recordings)
      throws IOException {
    var profile = whole.profiles().getFirst();
    Instant start = Instant.EPOCH.plusNanos(profile.timeUnixNano());
    JfrToOtlpConverter converter = new JfrToOtlpConverter(ALL);
    for (Path recording : recordings) {
      converter.addFile(recording, start, start.plusNanos(profile.durationNano() / 2 + 1));
    }
    return converter.read();
  }
}
