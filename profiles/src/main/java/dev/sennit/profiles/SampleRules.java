/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.profiles.dictionary.AttributeSets;
import dev.sennit.profiles.dictionary.SampleIdentities;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one profile and its samples: one shape, timestamps in the half-open range, each
 * identity once. First the head is shown, then every sample.
 */
final class SampleRules {
  private final Findings findings;
  private final DictionaryRules dictionary;
  private final String where;
  private final AttributeSets attributeSets = new AttributeSets();
  private final SampleIdentities identities = new SampleIdentities();
  private final IntList firsts = new IntList();
  private @Nullable SampleShape shape;
  private Head head = new Head();
  private int samples;

  SampleRules(Findings findings, DictionaryRules dictionary, String where) {
    this.findings = findings;
    this.dictionary = dictionary;
    this.where = where;
  }

  /** A profile without its samples. */
  static final class Head {
    int sampleType;
    int sampleUnit;
    int periodType;
    int periodUnit;
    long time;
    long duration;
    int profileIdLength;
    boolean profileIdZero = true;
    boolean payloadFormat;
    boolean payload;
    final IntList attributes = new IntList();
  }

  /** A sample, for use again and again. */
  static final class Sample {
    int stack;
    int link;
    long values;
    final IntList attributes = new IntList();
    final LongList timestamps = new LongList();

    void clear() {
      stack = 0;
      link = 0;
      values = 0;
      attributes.clear();
      timestamps.clear();
    }
  }

  void head(Head head) {
    this.head = head;
    dictionary.refer(where, "sample_type.type_strindex", Table.STRING, head.sampleType);
    dictionary.refer(where, "sample_type.unit_strindex", Table.STRING, head.sampleUnit);
    dictionary.refer(where, "period_type.type_strindex", Table.STRING, head.periodType);
    dictionary.refer(where, "period_type.unit_strindex", Table.STRING, head.periodUnit);
    dictionary.checkAttributes(where, head.attributes);
    if (head.sampleType == 0) {
      findings.warning(where, "has no sample_type, without which its values mean nothing");
    }
    if (head.profileIdLength != 0 && head.profileIdLength != 16) {
      findings.error(where, "profile_id has " + head.profileIdLength + " bytes, not 16");
    } else if (head.profileIdLength == 16 && head.profileIdZero) {
      findings.error(where, "profile_id is all zero");
    }
    if (head.payload != head.payloadFormat) {
      findings.error(
          where,
          head.payload
              ? "original_payload is set without original_payload_format"
              : "original_payload_format is set without original_payload");
    }
  }

  void sample(Sample sample) {
    int index = samples++;
    String at = where + ".samples[" + index + "]";
    dictionary.refer(at, "stack_index", Table.STACK, sample.stack);
    dictionary.refer(at, "link_index", Table.LINK, sample.link);
    dictionary.checkAttributes(at, sample.attributes);
    checkShape(at, sample);
    checkTimestamps(at, sample);
    int set = attributeSets.intern(sample.attributes.values, 0, sample.attributes.size);
    int identity = identities.intern(sample.stack, set, sample.link);
    if (identity == firsts.size) {
      firsts.add(index);
    } else {
      findings.error(
          at,
          "has the stack, attributes and link of samples["
              + firsts.values[identity]
              + "]; the two are one sample");
    }
  }

  private void checkShape(String at, Sample sample) {
    long timestamps = sample.timestamps.size;
    SampleShape own;
    if (timestamps == 0 && sample.values == 0) {
      findings.error(at, "has neither values nor timestamps");
      return;
    } else if (timestamps == 0) {
      own = SampleShape.AGGREGATED;
      if (sample.values != 1) {
        findings.error(
            at, "has " + sample.values + " values and no timestamps; one value has to be the sum");
      }
    } else if (sample.values == 0) {
      own = SampleShape.TIMESTAMPS;
    } else {
      own = SampleShape.TIMESTAMPS_AND_VALUES;
      if (sample.values != timestamps) {
        findings.error(at, "has " + sample.values + " values, but " + timestamps + " timestamps");
      }
    }
    if (shape == null) {
      shape = own;
    } else if (shape != own) {
      findings.error(at, "is of the shape " + own + ", others of the profile are " + shape);
    }
  }

  /** One finding a sample, however many of its timestamps are wrong. */
  private void checkTimestamps(String at, Sample sample) {
    for (int k = 0; k < sample.timestamps.size; k++) {
      long timestamp = sample.timestamps.values[k];
      if (Long.compareUnsigned(timestamp, head.time) < 0
          || Long.compareUnsigned(timestamp - head.time, head.duration) >= 0) {
        findings.error(
            at,
            "timestamps_unix_nano["
                + k
                + "] is "
                + Long.toUnsignedString(timestamp)
                + ", not in the profile's time from "
                + Long.toUnsignedString(head.time)
                + " until before "
                + Long.toUnsignedString(head.time + head.duration));
        return;
      }
    }
  }
}
