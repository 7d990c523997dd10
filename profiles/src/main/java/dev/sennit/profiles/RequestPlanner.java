/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import static dev.sennit.otlp.ProtobufEncoder.sizeOfLengthDelimited;

import dev.sennit.profiles.ProfileSlice.Cut;
import dev.sennit.profiles.proto.OtlpProtoFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Divides the profiles of an export over requests of a bounded size, in their order: as many
 * samples as fit with the dictionary entries that they need, then the next request. Only a sample
 * that is too large for a request by itself is divided, between its observations.
 */
final class RequestPlanner {
  /** What a length may take beside its first byte. */
  private static final int LONGER_LENGTH = 9;

  private final ProfileExport export;
  private final long frame;
  private Position position = new Position(0, 0, new Cut(0, 0));
  private String tooLarge = "";

  RequestPlanner(ProfileExport export) {
    this.export = export;
    frame = RequestPlan.sizeOfFrame(export);
  }

  /** What to write next, and how many slices its profile had before. */
  record Position(int profile, int slice, Cut cut) {}

  boolean done() {
    return position.profile() == export.profiles().size();
  }

  Position position() {
    return position;
  }

  void backTo(Position earlier) {
    position = earlier;
  }

  /**
   * Plans the next request; there is none if a profile's head, or one observation with all that its
   * sample refers to, is larger than {@code maxBytes} by itself.
   */
  Optional<RequestPlan> next(long maxBytes) {
    DictionarySelection selection = new DictionarySelection(export.dictionary());
    List<ProfileSlice> slices = new ArrayList<>();
    List<Long> sizes = new ArrayList<>();
    long written = frame;
    boolean full = false;
    while (!full && !done()) {
      Profile profile = export.profiles().get(position.profile());
      Cut from = position.cut();
      long room = maxBytes - written - RequestPlan.framing(slices.size() + 1);
      DictionarySelection.Mark before = selection.mark();
      Cut end = new Cut(profile.sampleCount(), 0);
      addHeader(selection, profile);
      long size =
          ProfileMessages.sizeOfHeader(
              selection, new ProfileSlice(profile, position.slice(), from, end));
      long needed = size + selection.size();
      Cut to = from;
      while (needed <= room && to.sample() < end.sample()) {
        DictionarySelection.Mark mark = selection.mark();
        addSample(selection, profile, to.sample());
        long sample = sizeOfSample(selection, profile, to, profile.observations(to.sample()));
        needed = size + sample + selection.size();
        if (needed > room) {
          selection.takeBack(mark);
        } else {
          size += sample;
          to = new Cut(to.sample() + 1, 0);
        }
      }
      full = needed > room;
      if (full && to.equals(from)) {
        if (!slices.isEmpty()) {
          selection.takeBack(before);
          break;
        }
        to = cut(selection, profile, room - size, maxBytes);
        if (to.equals(from)) {
          return Optional.empty();
        }
        size += sizeOfSample(selection, profile, from, to.observation());
      }
      slices.add(new ProfileSlice(profile, position.slice(), from, to));
      sizes.add(size);
      written += size;
      position =
          full
              ? new Position(position.profile(), position.slice() + 1, to)
              : new Position(position.profile() + 1, 0, new Cut(0, 0));
    }
    return Optional.of(new RequestPlan(export, selection, slices, sizes));
  }

  /** What did not fit when there was no plan, and how large it is in protobuf. */
  String tooLarge() {
    return tooLarge;
  }

  /** Takes as many observations of the next sample as there is room for. */
  private Cut cut(DictionarySelection selection, Profile profile, long room, long maxBytes) {
    Cut from = position.cut();
    if (from.sample() == profile.sampleCount()) {
      tooLarge = tooLarge("", profile, maxBytes + selection.size() - room);
      return from;
    }
    addSample(selection, profile, from.sample());
    int end = from.observation();
    long left =
        room - selection.size() - sizeOfSample(selection, profile, from, end) - 3 * LONGER_LENGTH;
    while (end < profile.observations(from.sample())) {
      left -= ProfileMessages.sizeOfObservation(profile, from.sample(), end);
      if (left < 0) {
        break;
      }
      end++;
    }
    if (end == from.observation()) {
      tooLarge = tooLarge("sample " + from.sample() + " of ", profile, maxBytes - left);
    }
    return new Cut(from.sample(), end);
  }

  private static void addHeader(DictionarySelection selection, Profile profile) {
    selection.addString(profile.sampleType());
    selection.addString(profile.sampleUnit());
    selection.addString(profile.periodType());
    selection.addString(profile.periodUnit());
    selection.addAttributeSet(profile.attributeSet());
  }

  private static void addSample(DictionarySelection selection, Profile profile, int sample) {
    selection.addStack(profile.stack(sample));
    selection.addAttributeSet(profile.attributeSet(sample));
    selection.addLink(profile.link(sample));
  }

  /** The length of a sample from a cut on, in its profile. */
  private static long sizeOfSample(
      DictionarySelection selection, Profile profile, Cut from, int end) {
    return sizeOfLengthDelimited(
        OtlpProtoFields.Profile.SAMPLES,
        ProfileMessages.sizeOfSample(selection, profile, from.sample(), from.observation(), end));
  }

  private String tooLarge(String sample, Profile profile, long needed) {
    OriginalPayload payload = profile.originalPayload();
    return sample
        + "profile "
        + position.profile()
        + " takes "
        + needed
        + " bytes with all that it refers to"
        + (payload == null || position.slice() > 0
            ? ""
            : " and the original payload of " + payload.length() + " bytes");
  }
}
