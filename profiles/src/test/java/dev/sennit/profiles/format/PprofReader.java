/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.format;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/** Reads pprof's profile.proto with protobuf's own parser, field by field. */
final class PprofReader {
  /** A message: its fields by number, each a Long, or the bytes of what is delimited by length. */
  private record Message(Map<Integer, List<Object>> fields) {
    static Message parse(byte[] bytes) throws IOException {
      Map<Integer, List<Object>> fields = new TreeMap<>();
      CodedInputStream in = CodedInputStream.newInstance(bytes);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        Object value =
            WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_VARINT
                ? (Object) in.readInt64()
                : in.readByteArray();
        fields
            .computeIfAbsent(WireFormat.getTagFieldNumber(tag), k -> new ArrayList<>())
            .add(value);
      }
      return new Message(fields);
    }

    long number(int field) {
      return (Long) fields.getOrDefault(field, List.of(0L)).getFirst();
    }

    List<Message> messages(int field) throws IOException {
      List<Message> messages = new ArrayList<>();
      for (Object bytes : fields.getOrDefault(field, List.of())) {
        messages.add(parse((byte[]) bytes));
      }
      return messages;
    }

    List<Long> packed(int field) throws IOException {
      List<Long> values = new ArrayList<>();
      for (Object bytes : fields.getOrDefault(field, List.of())) {
        CodedInputStream in = CodedInputStream.newInstance((byte[]) bytes);
        while (!in.isAtEnd()) {
          values.add(in.readInt64());
        }
      }
      return values;
    }
  }

  /** A sample: frames as {@code name:line}, the outermost first. */
  record Sample(List<String> stack, List<Long> values, Map<String, String> labels) {}

  final List<String> sampleTypes = new ArrayList<>();
  final List<Sample> samples = new ArrayList<>();
  final long time;
  final long duration;
  final long period;
  final String defaultType;
  private final List<String> strings = new ArrayList<>();
  private final Map<Long, String> functions = new TreeMap<>();
  private final Map<Long, List<String>> locations = new TreeMap<>();

  PprofReader(byte[] gzip) throws IOException {
    Message profile =
        Message.parse(new GZIPInputStream(new ByteArrayInputStream(gzip)).readAllBytes());
    for (Object bytes : profile.fields.getOrDefault(6, List.of())) {
      strings.add(new String((byte[]) bytes, StandardCharsets.UTF_8));
    }
    time = profile.number(9);
    duration = profile.number(10);
    period = profile.number(12);
    defaultType = string(profile.number(14));
    for (Message type : profile.messages(1)) {
      sampleTypes.add(string(type.number(1)) + "/" + string(type.number(2)));
    }
    for (Message function : profile.messages(5)) {
      functions.put(function.number(1), string(function.number(2)));
    }
    for (Message location : profile.messages(4)) {
      List<String> frames = new ArrayList<>();
      for (Message line : location.messages(4)) {
        frames.add(functions.get(line.number(1)) + ":" + line.number(2));
      }
      locations.put(location.number(1), frames.reversed());
    }
    for (Message sample : profile.messages(2)) {
      samples.add(sample(sample));
    }
  }

  String firstString() {
    return strings.getFirst();
  }

  private Sample sample(Message sample) throws IOException {
    List<String> stack = new ArrayList<>();
    for (long location : sample.packed(1).reversed()) {
      stack.addAll(locations.getOrDefault(location, List.of("no location " + location)));
    }
    Map<String, String> labels = new TreeMap<>();
    for (Message label : sample.messages(3)) {
      labels.put(
          string(label.number(1)),
          label.number(2) != 0 ? string(label.number(2)) : Long.toString(label.number(3)));
    }
    return new Sample(stack, sample.packed(2), labels);
  }

  private String string(long index) {
    return strings.get((int) index);
  }
}
