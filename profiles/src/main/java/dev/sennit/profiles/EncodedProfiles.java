/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import static dev.sennit.profiles.ProtoCursor.FIXED64;
import static dev.sennit.profiles.ProtoCursor.LENGTH_DELIMITED;
import static dev.sennit.profiles.ProtoCursor.VARINT;
import static dev.sennit.profiles.ProtoCursor.tag;

import dev.sennit.profiles.proto.OtlpProtoFields;
import dev.sennit.profiles.proto.OtlpProtoFields.InstrumentationScope;
import dev.sennit.profiles.proto.OtlpProtoFields.KeyValue;
import dev.sennit.profiles.proto.OtlpProtoFields.ProfilesData;
import dev.sennit.profiles.proto.OtlpProtoFields.Resource;
import dev.sennit.profiles.proto.OtlpProtoFields.ResourceProfiles;
import dev.sennit.profiles.proto.OtlpProtoFields.Sample;
import dev.sennit.profiles.proto.OtlpProtoFields.ScopeProfiles;
import dev.sennit.profiles.proto.OtlpProtoFields.ValueType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.Set;

/** Walks through encoded profiles and shows the rules what is there. */
final class EncodedProfiles {
  private final MemorySegment bytes;
  private final Findings findings = new Findings();
  private final DictionaryRules dictionary = new DictionaryRules(findings);
  private final SampleRules.Sample sample = new SampleRules.Sample();

  EncodedProfiles(MemorySegment bytes) {
    this.bytes = bytes;
  }

  ValidationResult validate() {
    if (bytes.byteSize() > 0 && bytes.get(ValueLayout.JAVA_BYTE, 0) == '{') {
      findings.error("ProfilesData", "is JSON, as it begins with '{'; protobuf is what is checked");
      return findings.result();
    }
    try {
      EncodedDictionary tables = new EncodedDictionary();
      ProtoCursor data = new ProtoCursor("ProfilesData", bytes);
      while (data.next()) {
        if (data.tag() == tag(ProfilesData.DICTIONARY, LENGTH_DELIMITED)) {
          tables.add(data.message("dictionary"));
        } else {
          data.skip();
        }
      }
      dictionary.check(tables);
      checkResources(data.again());
      dictionary.checkOrphans(true);
    } catch (MalformedProfileException e) {
      findings.error("protobuf", String.valueOf(e.getMessage()));
    }
    return findings.result();
  }

  private void checkResources(ProtoCursor data) throws MalformedProfileException {
    int resources = 0;
    while (data.next()) {
      if (data.tag() == tag(ProfilesData.RESOURCE_PROFILES, LENGTH_DELIMITED)) {
        String where = "resource_profiles[" + resources++ + "]";
        checkResource(where, data.message(where));
      } else {
        data.skip();
      }
    }
    if (resources == 0) {
      findings.error("ProfilesData", "has no resource_profiles");
    }
  }

  private void checkResource(String where, ProtoCursor in) throws MalformedProfileException {
    int scopes = 0;
    while (in.next()) {
      switch (in.tag()) {
        case ResourceProfiles.RESOURCE << 3 | LENGTH_DELIMITED ->
            checkOwner(where + ".resource", in.message("resource"), Resource.ATTRIBUTES);
        case ResourceProfiles.SCOPE_PROFILES << 3 | LENGTH_DELIMITED -> {
          String scope = where + ".scope_profiles[" + scopes++ + "]";
          checkScope(scope, in.message(scope));
        }
        case ResourceProfiles.SCHEMA_URL << 3 | LENGTH_DELIMITED -> in.text();
        default -> in.skip();
      }
    }
    if (scopes == 0) {
      findings.error(where, "has no scope_profiles");
    }
  }

  private void checkScope(String where, ProtoCursor in) throws MalformedProfileException {
    int profiles = 0;
    while (in.next()) {
      switch (in.tag()) {
        case ScopeProfiles.SCOPE << 3 | LENGTH_DELIMITED ->
            checkOwner(where + ".scope", in.message("scope"), InstrumentationScope.ATTRIBUTES);
        case ScopeProfiles.PROFILES << 3 | LENGTH_DELIMITED -> {
          String profile = where + ".profiles[" + profiles++ + "]";
          checkProfile(profile, in.message(profile));
        }
        case ScopeProfiles.SCHEMA_URL << 3 | LENGTH_DELIMITED -> in.text();
        default -> in.skip();
      }
    }
    if (profiles == 0) {
      findings.error(where, "has no profiles");
    }
  }

  /** A resource or a scope: no key twice. */
  private void checkOwner(String where, ProtoCursor in, int attributes)
      throws MalformedProfileException {
    Set<String> keys = new HashSet<>();
    while (in.next()) {
      if (in.tag() != tag(attributes, LENGTH_DELIMITED)) {
        in.skip();
        continue;
      }
      String key = "";
      ProtoCursor attribute = in.message("attribute");
      while (attribute.next()) {
        switch (attribute.tag()) {
          case KeyValue.KEY << 3 | LENGTH_DELIMITED -> key = attribute.text();
          case KeyValue.KEY_STRINDEX << 3 | VARINT -> {
            int string = attribute.int32();
            dictionary.refer(where, "key_strindex", Table.STRING, string);
            key = "key_strindex " + string;
          }
          case KeyValue.VALUE << 3 | LENGTH_DELIMITED ->
              EncodedDictionary.value(
                  attribute, string -> dictionary.refer(where, "value", Table.STRING, string));
          default -> attribute.skip();
        }
      }
      if (!keys.add(key)) {
        findings.error(where, "has the attribute \"" + key + "\" twice");
      }
    }
  }

  private void checkProfile(String where, ProtoCursor in) throws MalformedProfileException {
    SampleRules rules = new SampleRules(findings, dictionary, where);
    rules.head(readHead(in.again()));
    while (in.next()) {
      if (in.tag() == tag(OtlpProtoFields.Profile.SAMPLES, LENGTH_DELIMITED)) {
        readSample(in.message(where + ".samples"));
        rules.sample(sample);
      } else {
        in.skip();
      }
    }
  }

  private static SampleRules.Head readHead(ProtoCursor in) throws MalformedProfileException {
    SampleRules.Head head = new SampleRules.Head();
    while (in.next()) {
      switch (in.tag()) {
        case OtlpProtoFields.Profile.SAMPLE_TYPE << 3 | LENGTH_DELIMITED -> {
          ProtoCursor type = in.message("sample_type");
          while (type.next()) {
            switch (type.tag()) {
              case ValueType.TYPE_STRINDEX << 3 | VARINT -> head.sampleType = type.int32();
              case ValueType.UNIT_STRINDEX << 3 | VARINT -> head.sampleUnit = type.int32();
              default -> type.skip();
            }
          }
        }
        case OtlpProtoFields.Profile.PERIOD_TYPE << 3 | LENGTH_DELIMITED -> {
          ProtoCursor type = in.message("period_type");
          while (type.next()) {
            switch (type.tag()) {
              case ValueType.TYPE_STRINDEX << 3 | VARINT -> head.periodType = type.int32();
              case ValueType.UNIT_STRINDEX << 3 | VARINT -> head.periodUnit = type.int32();
              default -> type.skip();
            }
          }
        }
        case OtlpProtoFields.Profile.TIME_UNIX_NANO << 3 | FIXED64 -> head.time = in.fixed64();
        case OtlpProtoFields.Profile.DURATION_NANO << 3 | VARINT -> head.duration = in.varint();
        case OtlpProtoFields.Profile.PROFILE_ID << 3 | LENGTH_DELIMITED -> {
          byte[] id = in.bytes();
          head.profileIdLength = id.length;
          for (byte b : id) {
            head.profileIdZero &= b == 0;
          }
        }
        case OtlpProtoFields.Profile.ORIGINAL_PAYLOAD_FORMAT << 3 | LENGTH_DELIMITED ->
            head.payloadFormat = !in.text().isEmpty();
        case OtlpProtoFields.Profile.ORIGINAL_PAYLOAD << 3 | LENGTH_DELIMITED ->
            head.payload = in.message("original_payload").length() > 0;
        default ->
            EncodedDictionary.readInts(
                in, OtlpProtoFields.Profile.ATTRIBUTE_INDICES, head.attributes);
      }
    }
    return head;
  }

  private void readSample(ProtoCursor in) throws MalformedProfileException {
    sample.clear();
    while (in.next()) {
      switch (in.tag()) {
        case Sample.STACK_INDEX << 3 | VARINT -> sample.stack = in.int32();
        case Sample.LINK_INDEX << 3 | VARINT -> sample.link = in.int32();
        case Sample.VALUES << 3 | VARINT -> {
          in.varint();
          sample.values++;
        }
        case Sample.VALUES << 3 | LENGTH_DELIMITED -> {
          ProtoCursor packed = in.message("values");
          for (; packed.hasMore(); sample.values++) {
            packed.varint();
          }
        }
        case Sample.TIMESTAMPS_UNIX_NANO << 3 | FIXED64 -> sample.timestamps.add(in.fixed64());
        case Sample.TIMESTAMPS_UNIX_NANO << 3 | LENGTH_DELIMITED -> {
          ProtoCursor packed = in.message("timestamps_unix_nano");
          while (packed.hasMore()) {
            sample.timestamps.add(packed.fixed64());
          }
        }
        default -> EncodedDictionary.readInts(in, Sample.ATTRIBUTE_INDICES, sample.attributes);
      }
    }
  }
}
