/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.format;

import dev.sennit.otlp.AttributeValue;
import dev.sennit.profiles.EventColumns;
import dev.sennit.profiles.Profile;
import dev.sennit.profiles.ProfileExport;
import dev.sennit.profiles.dictionary.ProfilesDictionary;
import dev.sennit.profiles.dictionary.SampleIdentities;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Exports made by hand: stacks as text, the outermost frame first. */
final class HandMade {
  static final String HOSTILE = "a</script><script>alert(1)//\"'&\\;\n\u202Eb";

  private final ProfilesDictionary dictionary = new ProfilesDictionary();
  private final List<Profile> profiles = new ArrayList<>();
  private SampleIdentities identities = new SampleIdentities();
  private EventColumns events = EventColumns.ofTimestampsAndValues();

  /** Ten samples, three of them in a span, one with a hostile name. */
  static ProfileExport spans() {
    return new HandMade()
        .sample(2, "main", "run")
        .sample(3, 0xab, 0xcd, "main", "run")
        .sample(4, "main", "run", "write()")
        .sample(1, "main", HOSTILE)
        .profile("cpu", "samples", "count")
        .export();
  }

  /** A sample without a span, on a thread called main. */
  HandMade sample(long value, String... frames) {
    return sample(value, 0, 0, frames);
  }

  HandMade sample(long value, long traceId, long spanId, String... frames) {
    int[] locations = new int[frames.length];
    for (int i = 0; i < frames.length; i++) {
      locations[frames.length - 1 - i] = location(frames[i], 10 + i);
    }
    int thread =
        dictionary.attributes().internString(dictionary.strings().intern("thread.name"), "main", 0);
    int identity =
        identities.intern(
            dictionary.stacks().intern(locations, 0, locations.length),
            dictionary.attributeSets().intern(thread),
            dictionary.links().intern(traceId, traceId, spanId));
    events.add(identity, 1_000 + events.size(), value);
    return this;
  }

  private int location(String frame, int line) {
    String type = frame.endsWith("()") ? "native" : "jvm";
    int key = dictionary.strings().intern("profile.frame.type");
    int set = dictionary.attributeSets().intern(dictionary.attributes().internString(key, type, 0));
    int function = dictionary.functions().intern(dictionary.strings().intern(frame), 0, 0, 0);
    return dictionary.locations().intern(0, 0, function, line, 0, set);
  }

  /** Ends a profile: what was added since the last is in it. */
  HandMade profile(String type, String sampleType, String unit) {
    int key = dictionary.strings().intern("profile.type");
    profiles.add(
        Profile.of(identities, events)
            .sampleType(dictionary.strings().intern(sampleType), dictionary.strings().intern(unit))
            .period(
                dictionary.strings().intern("cpu"), dictionary.strings().intern("nanoseconds"), 10)
            .time(1_000, 500)
            .attributeSet(
                dictionary
                    .attributeSets()
                    .intern(dictionary.attributes().internString(key, type, 0)))
            .build());
    identities = new SampleIdentities();
    events = EventColumns.ofTimestampsAndValues();
    return this;
  }

  ProfileExport export() {
    return new ProfileExport(
        Map.of("service.name", AttributeValue.of("shop " + HOSTILE)),
        "test",
        "1",
        "",
        profiles,
        dictionary);
  }
}
