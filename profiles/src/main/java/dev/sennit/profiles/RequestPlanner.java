/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import static dev.sennit.otlp.ProtobufEncoder.sizeOfLengthDelimited;

import dev.sennit.profiles.proto.OtlpProtoFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Divides the profiles of an export over requests of a bounded size, in their order: as many
 * samples as fit with the dictionary entries that they need, then the next request.
 */
final class RequestPlanner {
  private final ProfileExport export;
  private final long frame;
  private Position position = new Position(0, 0, 0);

  RequestPlanner(ProfileExport export) {
    this.export = export;
    frame = RequestPlan.sizeOfFrame(export);
  }

  /** The next sample to write, and how many slices its profile had before. */
  record Position(int profile, int sample, int slice) {}

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
   * Plans the next request.
   *
   * @throws IOException if a profile's head or one sample is larger than {@code maxBytes} by itself
   */
  RequestPlan next(long maxBytes) throws IOException {
    DictionarySelection selection = new DictionarySelection(export.dictionary());
    List<ProfileSlice> slices = new ArrayList<>();
    List<Long> sizes = new ArrayList<>();
    long written = frame;
    boolean full = false;
    while (!full && !done()) {
      Profile profile = export.profiles().get(position.profile());
      int from = position.sample();
      long room = maxBytes - written - RequestPlan.framing(slices.size() + 1);
      DictionarySelection.Mark before = selection.mark();
      ProfileSlice whole = new ProfileSlice(profile, position.slice(), from, profile.sampleCount());
      addHeader(selection, profile);
      long size = ProfileMessages.sizeOfHeader(selection, whole);
      long needed = size + selection.size();
      int to = from;
      while (needed <= room && to < profile.sampleCount()) {
        DictionarySelection.Mark mark = selection.mark();
        selection.addStack(profile.stack(to));
        selection.addAttributeSet(profile.attributeSet(to));
        selection.addLink(profile.link(to));
        long sample =
            sizeOfLengthDelimited(
                OtlpProtoFields.Profile.SAMPLES,
                ProfileMessages.sizeOfSample(selection, profile, to));
        needed = size + sample + selection.size();
        if (needed > room) {
          selection.takeBack(mark);
        } else {
          size += sample;
          to++;
        }
      }
      full = needed > room;
      if (full && to == from) {
        if (slices.isEmpty()) {
          throw tooLarge(profile, needed + maxBytes - room, maxBytes);
        }
        selection.takeBack(before);
        break;
      }
      slices.add(new ProfileSlice(profile, position.slice(), from, to));
      sizes.add(size);
      written += size;
      position =
          full
              ? new Position(position.profile(), to, position.slice() + 1)
              : new Position(position.profile() + 1, 0, 0);
    }
    return new RequestPlan(export, selection, slices, sizes);
  }

  private static void addHeader(DictionarySelection selection, Profile profile) {
    selection.addString(profile.sampleType());
    selection.addString(profile.sampleUnit());
    selection.addString(profile.periodType());
    selection.addString(profile.periodUnit());
    selection.addAttributeSet(profile.attributeSet());
  }

  private IOException tooLarge(Profile profile, long needed, long maxBytes) {
    String what =
        position.sample() < profile.sampleCount()
            ? "sample " + position.sample() + " of profile " + position.profile()
            : "profile " + position.profile();
    OriginalPayload payload = profile.originalPayload();
    return new IOException(
        what
            + " takes "
            + needed
            + " bytes with all that it refers to"
            + (payload == null || position.slice() > 0
                ? ""
                : " and the original payload of " + payload.length() + " bytes")
            + ", but a request may have "
            + maxBytes
            + "; allow more, or aggregate");
  }
}
