/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.store;

import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.profiles.v1development.Function;
import io.opentelemetry.proto.profiles.v1development.KeyValueAndUnit;
import io.opentelemetry.proto.profiles.v1development.Line;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import io.opentelemetry.proto.profiles.v1development.Stack;
import io.opentelemetry.proto.profiles.v1development.ValueType;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.util.List;
import java.util.SplittableRandom;

/** Makes samples of processor time: one for each span, of many stacks in some dozens of threads. */
final class Sampler {
  private static final int METHODS = 1000;
  private static final int STACKS = 2000;
  private static final int DEPTH = 20;
  private static final int THREADS = 50;

  /** Where the strings of methods and threads begin, after the empty one and those of the types. */
  private static final int METHOD_NAMES = 5;

  private static final int THREAD_NAMES = METHOD_NAMES + METHODS;

  private final SplittableRandom random = new SplittableRandom(2);
  private final ProfilesDictionary dictionary = dictionary();

  private ProfilesDictionary dictionary() {
    ProfilesDictionary.Builder made =
        ProfilesDictionary.newBuilder()
            .addAllStringTable(List.of("", "samples", "count", "cpu", "thread.name"))
            .addFunctionTable(Function.newBuilder())
            .addLocationTable(Location.newBuilder())
            .addStackTable(Stack.newBuilder())
            .addAttributeTable(KeyValueAndUnit.newBuilder())
            .addLinkTable(Link.newBuilder());
    for (int i = 0; i < METHODS; i++) {
      made.addStringTable("shop.orders.Service" + i / 10 + ".method" + i)
          .addFunctionTable(Function.newBuilder().setNameStrindex(METHOD_NAMES + i))
          .addLocationTable(
              Location.newBuilder().addLines(Line.newBuilder().setFunctionIndex(i + 1)));
    }
    for (int i = 0; i < THREADS; i++) {
      made.addStringTable("worker-" + i)
          .addAttributeTable(
              KeyValueAndUnit.newBuilder()
                  .setKeyStrindex(4)
                  .setValue(AnyValue.newBuilder().setStringValueStrindex(THREAD_NAMES + i)));
    }
    for (int i = 0; i < STACKS; i++) {
      Stack.Builder stack = Stack.newBuilder();
      for (int depth = 0; depth < DEPTH; depth++) {
        // Outer frames are of fewer methods than inner ones.
        stack.addLocationIndices(1 + random.nextInt(Math.max(1, METHODS >> depth)));
      }
      made.addStackTable(stack);
    }
    return made.build();
  }

  /** A sample for each span, in the middle of it. */
  ExportProfilesServiceRequest sample(ExportTraceServiceRequest request) {
    ProfilesDictionary.Builder used = dictionary.toBuilder();
    ExportProfilesServiceRequest.Builder made = ExportProfilesServiceRequest.newBuilder();
    for (ResourceSpans service : request.getResourceSpansList()) {
      Profile.Builder profile =
          Profile.newBuilder()
              .setSampleType(ValueType.newBuilder().setTypeStrindex(1).setUnitStrindex(2))
              .setPeriodType(ValueType.newBuilder().setTypeStrindex(3).setUnitStrindex(2));
      for (Span span : service.getScopeSpans(0).getSpansList()) {
        used.addLinkTable(
            Link.newBuilder().setTraceId(span.getTraceId()).setSpanId(span.getSpanId()));
        profile.addSamples(
            Sample.newBuilder()
                .setStackIndex(1 + random.nextInt(STACKS))
                .setLinkIndex(used.getLinkTableCount() - 1)
                .addAttributeIndices(1 + random.nextInt(THREADS))
                .addTimestampsUnixNano(
                    (span.getStartTimeUnixNano() + span.getEndTimeUnixNano()) / 2));
      }
      made.addResourceProfiles(
          ResourceProfiles.newBuilder()
              .setResource(service.getResource())
              .addScopeProfiles(ScopeProfiles.newBuilder().addProfiles(profile)));
    }
    return made.setDictionary(used).build();
  }
}
