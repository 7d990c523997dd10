/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import dev.sennit.otlp.AttributeValue;
import dev.sennit.profiles.Profile;
import dev.sennit.profiles.ProfileExport;
import dev.sennit.profiles.dictionary.ProfilesDictionary;
import dev.sennit.profiles.dictionary.SampleIdentities;
import dev.sennit.store.query.FlameTree;
import dev.sennit.store.query.TimeRange;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes a profile of a tree again: a sample for each place in which samples ended. */
final class FlameProfile {
  private final FlameTree tree;
  private final ProfilesDictionary dictionary = new ProfilesDictionary();
  private final SampleIdentities identities = new SampleIdentities();

  private FlameProfile(FlameTree tree) {
    this.tree = tree;
  }

  /**
   * @param service of which all samples are; empty if they are of several
   */
  static ProfileExport of(
      FlameTree tree, String type, String unit, TimeRange time, String service) {
    return new FlameProfile(tree).export(type, unit, time, service);
  }

  private ProfileExport export(String type, String unit, TimeRange time, String service) {
    long[] sums = sums();
    int name = string("profile.type");
    Profile profile =
        Profile.aggregated(identities, sums)
            .sampleType(string(type), string(unit))
            .time(time.from(), time.to() - time.from())
            .attributeSet(
                dictionary
                    .attributeSets()
                    .intern(dictionary.attributes().internString(name, type, 0)))
            .build();
    return new ProfileExport(
        service.isEmpty() ? Map.of() : Map.of("service.name", AttributeValue.of(service)),
        "dev.sennit.viewer",
        "",
        "",
        List.of(profile),
        dictionary);
  }

  private long[] sums() {
    int[] locations = tree.frames().stream().mapToInt(this::location).toArray();
    int[] depths = new int[tree.nodes().size()];
    int deepest = 0;
    for (int i = 1; i < depths.length; i++) {
      depths[i] = depths[tree.nodes().get(i).parent()] + 1;
      deepest = Math.max(deepest, depths[i]);
    }
    int[] stack = new int[deepest];
    long[] sums = new long[depths.length];
    for (int i = 0; i < depths.length; i++) {
      if (tree.nodes().get(i).self() > 0) {
        int at = i;
        for (int k = 0; k < depths[i]; k++) {
          stack[k] = locations[tree.nodes().get(at).frame()];
          at = tree.nodes().get(at).parent();
        }
        int identity = identities.intern(dictionary.stacks().intern(stack, 0, depths[i]), 0, 0);
        sums[identity] += tree.nodes().get(i).self();
      }
    }
    return sums;
  }

  private int location(FlameTree.Frame frame) {
    int function = dictionary.functions().intern(string(frame.name()), 0, string(frame.file()), 0);
    return dictionary.locations().intern(0, 0, function, 0, 0, kind(frame.kind()));
  }

  private int kind(@Nullable String kind) {
    if (kind == null) {
      return 0;
    }
    int attribute = dictionary.attributes().internString(string("profile.frame.type"), kind, 0);
    return dictionary.attributeSets().intern(attribute);
  }

  private int string(@Nullable String text) {
    return text == null ? 0 : dictionary.strings().intern(text);
  }
}
