/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

import dev.sennit.store.SampleOwner;
import dev.sennit.store.SpanKey;
import dev.sennit.store.write.ProfileTables.Dangling;
import dev.sennit.store.write.Rows.ProcessRow;
import dev.sennit.store.write.Rows.ProfileRows;
import dev.sennit.store.write.Rows.SampleRow;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes rows of profiles: one for each moment of a sample, or one for a sample that was summed over
 * the time of its profile. A profile that contradicts itself is rejected as a whole.
 */
public final class ProfileDecoder {
  /** A moment is eight bytes in a request, and many times that as a row. */
  private static final int MOST_SAMPLES = 1_000_000;

  private static final String THREAD_ID = "thread.id";
  private static final String THREAD_NAME = "thread.name";
  private static final String PROFILE_TYPE = "profile.type";

  /** Set where the number of a thread is Java's, for a virtual thread has no other. */
  private static final String VIRTUAL = "sennit.thread.virtual";

  /** Added where the span of a sample was found by its thread. */
  private static final KeyValue BY_THREAD =
      KeyValue.newBuilder()
          .setKey("sennit.correlation")
          .setValue(AnyValue.newBuilder().setStringValue("thread"))
          .build();

  private final SampleOwner owner;
  private final Batch batch;
  private final ProfileTables tables;

  /** Many samples have the same attributes. */
  private final Map<List<Integer>, SampledThread> threads = new HashMap<>();

  private long samples;

  private ProfileDecoder(ExportProfilesServiceRequest request, SampleOwner owner) {
    this.owner = owner;
    batch = new Batch(request.getSerializedSize());
    tables = new ProfileTables(request.getDictionary(), batch);
  }

  /**
   * What the attributes of a sample say.
   *
   * @param nativeId the number of the operating system; null for a virtual thread
   * @param others those that have no column
   * @param othersByThread the same with the one that says how the span was found
   */
  private record SampledThread(
      @Nullable Long id,
      @Nullable Long nativeId,
      @Nullable String name,
      @Nullable String others,
      @Nullable String othersByThread) {}

  /** The span of a sample, and the attributes that have no column. */
  private record Place(
      @Nullable String traceId, @Nullable String spanId, @Nullable String attributes) {}

  /** What all samples of a profile share. */
  private record Shared(
      ProcessRow process,
      String type,
      String unit,
      @Nullable Long period,
      long time,
      long duration) {}

  /**
   * Makes rows of a request.
   *
   * @param owner is asked for the spans of samples that have none
   */
  public static Batch decode(ExportProfilesServiceRequest request, SampleOwner owner) {
    ProfileDecoder decoder = new ProfileDecoder(request, owner);
    ContentHash hash = new ContentHash();
    for (ResourceProfiles resource : request.getResourceProfilesList()) {
      ProcessRow process = Origin.of(resource.getResource(), hash);
      decoder.batch.processes.put(process.processId(), process);
      for (ScopeProfiles scope : resource.getScopeProfilesList()) {
        for (Profile profile : scope.getProfilesList()) {
          decoder.add(profile, process);
        }
      }
    }
    return decoder.batch;
  }

  private void add(Profile profile, ProcessRow process) {
    List<SampleRow> rows = new ArrayList<>();
    long before = samples;
    @Nullable String breach = add(profile, process, rows);
    if (breach != null) {
      // Its rows are gone, and leave their room to the profiles that follow.
      samples = before;
      batch.reject(breach);
      return;
    }
    batch.profiles.add(new ProfileRows(Ids.trace(profile.getProfileId()), rows));
  }

  /** Adds the rows of a profile, or tells why it has to be rejected. */
  private @Nullable String add(Profile profile, ProcessRow process, List<SampleRow> rows) {
    try {
      Shared shared = shared(profile, process);
      for (Sample sample : profile.getSamplesList()) {
        @Nullable String breach = breach(sample);
        if (breach != null) {
          return "a profile of type " + shared.type + " has " + breach;
        }
        add(sample, shared, rows);
      }
      return null;
    } catch (Dangling e) {
      return "a profile has an " + e.getMessage();
    }
  }

  private @Nullable String breach(Sample sample) {
    int values = sample.getValuesCount();
    int moments = sample.getTimestampsUnixNanoCount();
    if (values == 0 && moments == 0) {
      return "a sample without values and times";
    }
    if (values > 0 && moments > 0 && values != moments) {
      return "a sample with " + values + " values and " + moments + " times";
    }
    samples += Math.max(1, moments);
    return samples > MOST_SAMPLES ? "too many samples: a request may have " + MOST_SAMPLES : null;
  }

  private Shared shared(Profile profile, ProcessRow process) throws Dangling {
    List<KeyValue> attributes = tables.attributes(profile.getAttributeIndicesList());
    @Nullable String said = Attributes.text(attributes, PROFILE_TYPE);
    String sampleType = tables.text(profile.getSampleType().getTypeStrindex());
    String periodType = tables.text(profile.getPeriodType().getTypeStrindex());
    // Every sampler counts "samples"; what tells them apart is what they sample by.
    String type = sampleType.equals("samples") && !periodType.isEmpty() ? periodType : sampleType;
    return new Shared(
        process,
        said != null && !said.isEmpty() ? said : type,
        tables.text(profile.getSampleType().getUnitStrindex()),
        profile.getPeriod() == 0 ? null : (Long) profile.getPeriod(),
        Times.at(profile.getTimeUnixNano()),
        Times.length(profile.getDurationNano()));
  }

  private void add(Sample sample, Shared shared, List<SampleRow> rows) throws Dangling {
    long stack = tables.stack(sample.getStackIndex());
    Link link = tables.link(sample.getLinkIndex());
    @Nullable String traceId = Ids.trace(link.getTraceId());
    @Nullable String spanId = traceId == null ? null : Ids.span(link.getSpanId());
    SampledThread thread = thread(sample.getAttributeIndicesList());
    Place said = new Place(traceId, spanId, thread.others);
    int moments = sample.getTimestampsUnixNanoCount();
    if (moments == 0) {
      long sum = sample.getValuesList().stream().mapToLong(Long::longValue).sum();
      rows.add(row(shared, shared.time, shared.duration, sum, stack, thread, said));
      return;
    }
    boolean known = traceId != null || tables.onVirtualThread(sample.getStackIndex());
    for (int i = 0; i < moments; i++) {
      long time = Times.at(sample.getTimestampsUnixNano(i));
      long value = sample.getValuesCount() == 0 ? 1 : sample.getValues(i);
      @Nullable Place found = known ? null : byThread(shared.process, thread, time);
      rows.add(row(shared, time, 0, value, stack, thread, found == null ? said : found));
    }
  }

  private @Nullable Place byThread(ProcessRow process, SampledThread thread, long time) {
    if (process.pid() == null || thread.nativeId == null) {
      return null;
    }
    @Nullable SpanKey span = owner.ownerOf(process.pid(), thread.nativeId, time);
    return span == null ? null : new Place(span.traceId(), span.spanId(), thread.othersByThread);
  }

  private static SampleRow row(
      Shared shared,
      long time,
      long interval,
      long value,
      long stack,
      SampledThread thread,
      Place place) {
    return new SampleRow(
        time,
        interval,
        shared.type,
        shared.unit,
        value,
        shared.period,
        stack,
        shared.process.service(),
        place.traceId,
        place.spanId,
        thread.id,
        thread.name,
        place.attributes,
        shared.process.processId());
  }

  private SampledThread thread(List<Integer> indices) throws Dangling {
    @Nullable SampledThread known = threads.get(indices);
    if (known != null) {
      return known;
    }
    List<KeyValue> attributes = tables.attributes(indices);
    List<KeyValue> others = new ArrayList<>(attributes);
    others.removeIf(
        attribute ->
            attribute.getKey().equals(THREAD_ID) || attribute.getKey().equals(THREAD_NAME));
    @Nullable Long id = Attributes.number(attributes, THREAD_ID);
    @Nullable String name = Attributes.text(attributes, THREAD_NAME);
    boolean virtual = "true".equals(Attributes.text(attributes, VIRTUAL));
    @Nullable String said = AttributesJson.of(others);
    others.add(BY_THREAD);
    SampledThread thread =
        new SampledThread(id, virtual ? null : id, name, said, AttributesJson.of(others));
    threads.put(List.copyOf(indices), thread);
    return thread;
  }
}
