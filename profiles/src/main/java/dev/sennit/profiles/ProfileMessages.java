/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import static dev.sennit.otlp.ProtobufEncoder.sizeOfFixed64Field;
import static dev.sennit.otlp.ProtobufEncoder.sizeOfLengthDelimited;
import static dev.sennit.otlp.ProtobufEncoder.sizeOfString;
import static dev.sennit.otlp.ProtobufEncoder.sizeOfVarint;
import static dev.sennit.profiles.DictionaryMessages.sizeOfAttributes;
import static dev.sennit.profiles.DictionaryMessages.sizeUnlessZero;
import static dev.sennit.profiles.DictionaryMessages.writeAttributes;
import static dev.sennit.profiles.DictionaryMessages.writeUnlessZero;

import dev.sennit.otlp.ProtobufEncoder;
import dev.sennit.profiles.proto.OtlpProtoFields;
import dev.sennit.profiles.proto.OtlpProtoFields.Sample;
import dev.sennit.profiles.proto.OtlpProtoFields.ValueType;
import java.io.IOException;
import java.io.OutputStream;

/** Profiles and samples in protobuf: how long they are and how they are written, side by side. */
final class ProfileMessages {
  private static final int PROFILE_ID = 16;

  /** The buffer is emptied when it holds this much. */
  static final int SPILL = 64 * 1024;

  /** Within a long sample that is looked at now and then. */
  private static final int PIECE = 1024;

  private ProfileMessages() {}

  /** The length of a profile but for its samples. */
  static long sizeOfHeader(DictionarySelection selection, ProfileSlice slice) {
    Profile profile = slice.profile();
    long size =
        sizeOfValueType(
            OtlpProtoFields.Profile.SAMPLE_TYPE,
            selection,
            profile.sampleType(),
            profile.sampleUnit());
    if (profile.timeUnixNano() != 0) {
      size += sizeOfFixed64Field(OtlpProtoFields.Profile.TIME_UNIX_NANO);
    }
    size += sizeUnlessZero(OtlpProtoFields.Profile.DURATION_NANO, profile.durationNano());
    size +=
        sizeOfValueType(
            OtlpProtoFields.Profile.PERIOD_TYPE,
            selection,
            profile.periodType(),
            profile.periodUnit());
    size += sizeUnlessZero(OtlpProtoFields.Profile.PERIOD, profile.period());
    if (profile.hasProfileId()) {
      size += sizeOfLengthDelimited(OtlpProtoFields.Profile.PROFILE_ID, PROFILE_ID);
    }
    OriginalPayload payload = slice.originalPayload();
    if (payload != null) {
      size +=
          sizeOfString(OtlpProtoFields.Profile.ORIGINAL_PAYLOAD_FORMAT, payload.format())
              + sizeOfLengthDelimited(OtlpProtoFields.Profile.ORIGINAL_PAYLOAD, payload.length());
    }
    return size
        + sizeOfAttributes(
            OtlpProtoFields.Profile.ATTRIBUTE_INDICES, selection, profile.attributeSet());
  }

  static void writeProfile(
      ProtobufEncoder encoder, OutputStream out, DictionarySelection selection, ProfileSlice slice)
      throws IOException {
    Profile profile = slice.profile();
    writeValueType(
        encoder,
        OtlpProtoFields.Profile.SAMPLE_TYPE,
        selection,
        profile.sampleType(),
        profile.sampleUnit());
    for (int sample = slice.firstSample(); sample < slice.endSample(); sample++) {
      int first = slice.firstObservation(sample);
      int end = slice.endObservation(sample);
      encoder.writeLengthDelimited(
          OtlpProtoFields.Profile.SAMPLES, sizeOfSample(selection, profile, sample, first, end));
      writeSample(encoder, out, selection, profile, sample, first, end);
    }
    if (profile.timeUnixNano() != 0) {
      encoder.writeFixed64Field(OtlpProtoFields.Profile.TIME_UNIX_NANO, profile.timeUnixNano());
    }
    writeUnlessZero(encoder, OtlpProtoFields.Profile.DURATION_NANO, profile.durationNano());
    writeValueType(
        encoder,
        OtlpProtoFields.Profile.PERIOD_TYPE,
        selection,
        profile.periodType(),
        profile.periodUnit());
    writeUnlessZero(encoder, OtlpProtoFields.Profile.PERIOD, profile.period());
    if (profile.hasProfileId()) {
      encoder.writeLengthDelimited(OtlpProtoFields.Profile.PROFILE_ID, PROFILE_ID);
      encoder.writeFixed64(Long.reverseBytes(slice.profileIdHigh()));
      encoder.writeFixed64(Long.reverseBytes(profile.profileIdLow()));
    }
    OriginalPayload payload = slice.originalPayload();
    if (payload != null) {
      encoder.writeString(OtlpProtoFields.Profile.ORIGINAL_PAYLOAD_FORMAT, payload.format());
      encoder.writeLengthDelimited(OtlpProtoFields.Profile.ORIGINAL_PAYLOAD, payload.length());
      encoder.drainTo(out);
      payload.open().transferTo(out);
    }
    writeAttributes(
        encoder, OtlpProtoFields.Profile.ATTRIBUTE_INDICES, selection, profile.attributeSet());
  }

  /** The length of a sample with its observations from {@code first} to {@code end}. */
  static long sizeOfSample(
      DictionarySelection selection, Profile profile, int sample, int first, int end) {
    long size =
        sizeUnlessZero(Sample.STACK_INDEX, selection.stacks.of(profile.stack(sample)))
            + sizeOfAttributes(Sample.ATTRIBUTE_INDICES, selection, profile.attributeSet(sample))
            + sizeUnlessZero(Sample.LINK_INDEX, selection.links.of(profile.link(sample)));
    if (profile.shape() != SampleShape.TIMESTAMPS) {
      size += sizeOfLengthDelimited(Sample.VALUES, packedValues(profile, sample, first, end));
    }
    if (profile.shape() != SampleShape.AGGREGATED) {
      size += sizeOfLengthDelimited(Sample.TIMESTAMPS_UNIX_NANO, (long) Long.BYTES * (end - first));
    }
    return size;
  }

  /** What one observation adds to the content of its sample. */
  static long sizeOfObservation(Profile profile, int sample, int k) {
    return switch (profile.shape()) {
      case TIMESTAMPS -> Long.BYTES;
      case AGGREGATED -> sizeOfVarint(profile.value(sample, k));
      case TIMESTAMPS_AND_VALUES -> Long.BYTES + sizeOfVarint(profile.value(sample, k));
    };
  }

  /** The content length of the values, which is known of a whole sample. */
  private static long packedValues(Profile profile, int sample, int first, int end) {
    if (first == 0 && end == profile.observations(sample)) {
      return profile.packedValues(sample);
    }
    long packed = 0;
    for (int k = first; k < end; k++) {
      packed += sizeOfVarint(profile.value(sample, k));
    }
    return packed;
  }

  private static void writeSample(
      ProtobufEncoder encoder,
      OutputStream out,
      DictionarySelection selection,
      Profile profile,
      int sample,
      int first,
      int end)
      throws IOException {
    writeUnlessZero(encoder, Sample.STACK_INDEX, selection.stacks.of(profile.stack(sample)));
    writeAttributes(encoder, Sample.ATTRIBUTE_INDICES, selection, profile.attributeSet(sample));
    writeUnlessZero(encoder, Sample.LINK_INDEX, selection.links.of(profile.link(sample)));
    if (profile.shape() != SampleShape.TIMESTAMPS) {
      encoder.writeLengthDelimited(Sample.VALUES, packedValues(profile, sample, first, end));
      writeValues(encoder, out, profile, sample, first, end);
    }
    if (profile.shape() != SampleShape.AGGREGATED) {
      encoder.writeLengthDelimited(Sample.TIMESTAMPS_UNIX_NANO, (long) Long.BYTES * (end - first));
      writeTimestamps(encoder, out, profile, sample, first, end);
    }
    spill(encoder, out);
  }

  private static void writeValues(
      ProtobufEncoder encoder, OutputStream out, Profile profile, int sample, int first, int end)
      throws IOException {
    for (int k = first; k < end; k++) {
      encoder.writeVarint(profile.value(sample, k));
      if (k % PIECE == PIECE - 1) {
        spill(encoder, out);
      }
    }
  }

  private static void writeTimestamps(
      ProtobufEncoder encoder, OutputStream out, Profile profile, int sample, int first, int end)
      throws IOException {
    for (int k = first; k < end; k++) {
      encoder.writeFixed64(profile.timestamp(sample, k));
      if (k % PIECE == PIECE - 1) {
        spill(encoder, out);
      }
    }
  }

  static void spill(ProtobufEncoder encoder, OutputStream out) throws IOException {
    if (encoder.size() >= SPILL) {
      encoder.drainTo(out);
    }
  }

  private static long sizeOfValueType(
      int field, DictionarySelection selection, int type, int unit) {
    if ((type | unit) == 0) {
      return 0;
    }
    return sizeOfLengthDelimited(field, sizeOfValueType(selection, type, unit));
  }

  private static void writeValueType(
      ProtobufEncoder encoder, int field, DictionarySelection selection, int type, int unit) {
    if ((type | unit) != 0) {
      encoder.writeLengthDelimited(field, sizeOfValueType(selection, type, unit));
      writeUnlessZero(encoder, ValueType.TYPE_STRINDEX, selection.strings.of(type));
      writeUnlessZero(encoder, ValueType.UNIT_STRINDEX, selection.strings.of(unit));
    }
  }

  private static long sizeOfValueType(DictionarySelection selection, int type, int unit) {
    return sizeUnlessZero(ValueType.TYPE_STRINDEX, selection.strings.of(type))
        + sizeUnlessZero(ValueType.UNIT_STRINDEX, selection.strings.of(unit));
  }
}
