/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.otlp.AttributeValue;
import dev.sennit.profiles.dictionary.AttributeTable;
import dev.sennit.profiles.dictionary.ProfilesDictionary;
import dev.sennit.profiles.dictionary.SampleIdentities;
import dev.sennit.profiles.dictionary.StringTable;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Exports with something of everything, the same for the same seed. */
public final class Fixtures {
  static final long TIME = 1_700_000_000_000_000_000L;
  static final long DURATION = 60_000_000_000L;

  private Fixtures() {}

  static Map<String, AttributeValue> resource() {
    Map<String, AttributeValue> resource = new LinkedHashMap<>();
    resource.put("service.name", AttributeValue.of("shop \u00e9\ud83d\ude00 \"quoted\""));
    resource.put("process.pid", AttributeValue.of(4711L));
    resource.put("negative", AttributeValue.of(-1L));
    resource.put("flag", AttributeValue.of(false));
    resource.put("ratio", AttributeValue.of(0.25));
    resource.put("process.command_args", AttributeValue.ofStrings(List.of("a", "", "b")));
    resource.put("empty", AttributeValue.of(List.of()));
    return resource;
  }

  public static ProfileExport export(int seed, int samples) {
    ProfilesDictionary dictionary = new ProfilesDictionary();
    dictionary.strings().intern("an orphan");
    Random random = new Random(seed);
    List<Profile> profiles =
        List.of(
            events(dictionary, random, samples, false),
            events(dictionary, random, samples, true),
            aggregated(dictionary, random, samples));
    return new ProfileExport(
        resource(),
        "dev.sennit",
        "1.0",
        "https://opentelemetry.io/schemas/1.44.0",
        profiles,
        dictionary);
  }

  static Profile events(
      ProfilesDictionary dictionary, Random random, int samples, boolean withValues) {
    SampleIdentities identities = identities(dictionary, random, samples);
    EventColumns events =
        withValues ? EventColumns.ofTimestampsAndValues() : EventColumns.ofTimestamps();
    for (int i = 0; i < 3 * samples; i++) {
      events.add(
          random.nextInt(identities.size()),
          TIME + random.nextLong(DURATION),
          random.nextLong(-5, 1L << random.nextInt(8, 50)));
    }
    StringTable strings = dictionary.strings();
    return Profile.of(identities, events)
        .sampleType(strings.intern("samples"), strings.intern("count"))
        .period(strings.intern("cpu"), strings.intern("nanoseconds"), 10_000_000)
        .time(TIME, DURATION)
        .profileId(random.nextLong(), random.nextLong())
        .attributeSet(
            dictionary
                .attributeSets()
                .intern(
                    dictionary.attributes().internString(strings.intern("profile.type"), "cpu", 0)))
        .originalPayload(
            withValues
                ? OriginalPayload.jfr(
                    MemorySegment.ofArray(new byte[] {1, 2, 3, 4}),
                    MemorySegment.ofArray(new byte[] {5}))
                : null)
        .build();
  }

  static Profile aggregated(ProfilesDictionary dictionary, Random random, int samples) {
    SampleIdentities identities = identities(dictionary, random, samples);
    long[] values = new long[identities.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextLong(0, 4);
    }
    StringTable strings = dictionary.strings();
    return Profile.aggregated(identities, values)
        .sampleType(strings.intern("allocated_space"), strings.intern("bytes"))
        .build();
  }

  private static SampleIdentities identities(
      ProfilesDictionary dictionary, Random random, int samples) {
    StringTable strings = dictionary.strings();
    AttributeTable attributes = dictionary.attributes();
    int frameType =
        dictionary
            .attributeSets()
            .intern(attributes.internString(strings.intern("profile.frame.type"), "jvm", 0));
    int mapping =
        dictionary.mappings().intern(4096, 8192, 7, strings.intern("/lib/libc.so.6"), frameType);
    SampleIdentities identities = new SampleIdentities();
    while (identities.size() < samples) {
      int[] stack = new int[1 + random.nextInt(12)];
      for (int k = 0; k < stack.length; k++) {
        stack[k] = location(dictionary, random, mapping, frameType);
      }
      int thread = random.nextInt(9);
      int set =
          dictionary
              .attributeSets()
              .intern(
                  attributes.internInt(strings.intern("thread.id"), thread, 0),
                  attributes.internString(strings.intern("thread.name"), "worker-" + thread, 0),
                  attributes.internBool(strings.intern("daemon"), thread % 2 == 0, 0),
                  attributes.internDouble(
                      strings.intern("load"), thread / 4.0, strings.intern("1")));
      int link =
          random.nextBoolean()
              ? 0
              : dictionary
                  .links()
                  .intern(random.nextLong(), random.nextLong(), 1 + random.nextLong(1 << 20));
      identities.intern(
          random.nextInt(20) == 0 ? 0 : dictionary.stacks().intern(stack, 0, stack.length),
          random.nextInt(20) == 0 ? 0 : set,
          link);
    }
    return identities;
  }

  private static int location(
      ProfilesDictionary dictionary, Random random, int mapping, int frameType) {
    int method = random.nextInt(200);
    StringTable strings = dictionary.strings();
    int function =
        dictionary
            .functions()
            .intern(
                strings.intern("com.example.Class" + method % 7 + ".method" + method),
                strings.intern("method" + method + "()V"),
                strings.intern("Class" + method % 7 + ".java"),
                method);
    return switch (random.nextInt(10)) {
      case 0 -> dictionary.locations().intern(mapping, 4096 + method, 0, 0, 0, 0);
      case 1 ->
          dictionary
              .locations()
              .intern(
                  0,
                  0,
                  new int[] {function, function},
                  new long[] {1, 2},
                  new long[] {3, 0},
                  0,
                  2,
                  frameType);
      default -> dictionary.locations().intern(0, 0, function, random.nextInt(3), 0, frameType);
    };
  }
}
