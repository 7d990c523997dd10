/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.otlp.AttributeValue;
import dev.sennit.otlp.JsonEncoder;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/**
 * Writes a planned request as OTLP/JSON. Like protobuf, it leaves out what is 0; unlike the proto3
 * mapping, ids are hex, {@code profileId} too, for so does the Collector.
 */
final class JsonRequest {
  private final JsonEncoder json;
  private final RequestPlan plan;
  private final DictionarySelection selection;

  JsonRequest(JsonEncoder json, RequestPlan plan) {
    this.json = json;
    this.plan = plan;
    this.selection = plan.selection();
  }

  void write() throws IOException {
    ProfileExport export = plan.export();
    json.beginObject();
    json.name("resourceProfiles");
    json.beginArray();
    json.beginObject();
    json.name("resource");
    json.beginObject();
    writeResource(export.resource());
    json.endObject();
    json.name("scopeProfiles");
    json.beginArray();
    json.beginObject();
    json.name("scope");
    json.beginObject();
    text("name", export.scopeName());
    text("version", export.scopeVersion());
    json.endObject();
    json.name("profiles");
    json.beginArray();
    for (ProfileSlice slice : plan.slices()) {
      writeProfile(slice);
    }
    json.endArray();
    text("schemaUrl", export.schemaUrl());
    json.endObject();
    json.endArray();
    text("schemaUrl", export.schemaUrl());
    json.endObject();
    json.endArray();
    json.name("dictionary");
    new JsonDictionary(json, selection).write();
    json.endObject();
    json.flush();
  }

  private void writeResource(Map<String, AttributeValue> attributes) throws IOException {
    if (attributes.isEmpty()) {
      return;
    }
    json.name("attributes");
    json.beginArray();
    for (Map.Entry<String, AttributeValue> attribute : attributes.entrySet()) {
      json.beginObject();
      json.name("key");
      json.value(attribute.getKey());
      json.name("value");
      writeValue(attribute.getValue());
      json.endObject();
    }
    json.endArray();
  }

  private void writeValue(AttributeValue value) throws IOException {
    json.beginObject();
    switch (value) {
      case AttributeValue.Text(String text) -> {
        json.name("stringValue");
        json.value(text);
      }
      case AttributeValue.Flag(boolean flag) -> {
        json.name("boolValue");
        json.value(flag);
      }
      case AttributeValue.Whole(long number) -> {
        json.name("intValue");
        json.int64(number);
      }
      case AttributeValue.Real(double real) -> {
        json.name("doubleValue");
        json.value(real);
      }
      case AttributeValue.Array array -> {
        json.name("arrayValue");
        json.beginObject();
        json.name("values");
        json.beginArray();
        for (AttributeValue element : array.values()) {
          writeValue(element);
        }
        json.endArray();
        json.endObject();
      }
    }
    json.endObject();
  }

  private void writeProfile(ProfileSlice slice) throws IOException {
    Profile profile = slice.profile();
    json.beginObject();
    writeValueType("sampleType", profile.sampleType(), profile.sampleUnit());
    if (slice.firstSample() < slice.endSample()) {
      json.name("samples");
      json.beginArray();
      for (int sample = slice.firstSample(); sample < slice.endSample(); sample++) {
        writeSample(slice, sample);
      }
      json.endArray();
    }
    if (profile.timeUnixNano() != 0) {
      json.name("timeUnixNano");
      json.uint64(profile.timeUnixNano());
    }
    if (profile.durationNano() != 0) {
      json.name("durationNano");
      json.uint64(profile.durationNano());
    }
    writeValueType("periodType", profile.periodType(), profile.periodUnit());
    if (profile.period() != 0) {
      json.name("period");
      json.int64(profile.period());
    }
    if (profile.hasProfileId()) {
      json.name("profileId");
      json.hex(slice.profileIdHigh(), profile.profileIdLow());
    }
    OriginalPayload payload = slice.originalPayload();
    if (payload != null) {
      text("originalPayloadFormat", payload.format());
      json.name("originalPayload");
      try (InputStream in = payload.open()) {
        json.base64(in);
      }
    }
    JsonDictionary.attributes(json, selection, profile.attributeSet());
    json.endObject();
  }

  private void writeSample(ProfileSlice slice, int sample) throws IOException {
    Profile profile = slice.profile();
    json.beginObject();
    JsonDictionary.index(json, "stackIndex", selection.stacks.of(profile.stack(sample)));
    JsonDictionary.attributes(json, selection, profile.attributeSet(sample));
    JsonDictionary.index(json, "linkIndex", selection.links.of(profile.link(sample)));
    int first = slice.firstObservation(sample);
    int end = slice.endObservation(sample);
    if (profile.shape() != SampleShape.TIMESTAMPS) {
      json.name("values");
      json.beginArray();
      for (int k = first; k < end; k++) {
        json.int64(profile.value(sample, k));
      }
      json.endArray();
    }
    if (profile.shape() != SampleShape.AGGREGATED) {
      json.name("timestampsUnixNano");
      json.beginArray();
      for (int k = first; k < end; k++) {
        json.uint64(profile.timestamp(sample, k));
      }
      json.endArray();
    }
    json.endObject();
  }

  private void writeValueType(String name, int type, int unit) throws IOException {
    if ((type | unit) != 0) {
      json.name(name);
      json.beginObject();
      JsonDictionary.index(json, "typeStrindex", selection.strings.of(type));
      JsonDictionary.index(json, "unitStrindex", selection.strings.of(unit));
      json.endObject();
    }
  }

  private void text(String name, String value) throws IOException {
    if (!value.isEmpty()) {
      json.name(name);
      json.value(value);
    }
  }
}
