/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.virtualthread;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Which span was mounted on which carrier and when, as the application itself noted it. A thread
 * notes the time after it was mounted and before it is unmounted; so on one carrier a span may be
 * seen from the end of the one before it to the beginning of the one after.
 */
record MountLog(Map<Integer, List<Stint>> byCarrier) {
  record Stint(long span, int tid, long begin, long end) {}

  /** A reader outside saw {@code span} on {@code tid} at some time between the two. */
  record Sighting(long span, int tid, long begin, long end) {}

  static MountLog read(Path file) throws IOException {
    List<Stint> stints =
        Files.readAllLines(file).stream()
            .map(line -> line.split(" "))
            .map(
                part ->
                    new Stint(
                        Long.parseLong(part[0]),
                        Integer.parseInt(part[1]),
                        Long.parseLong(part[2]),
                        Long.parseLong(part[3])))
            .toList();
    Map<Integer, List<Stint>> byCarrier =
        new HashMap<>(
            stints.stream()
                .collect(
                    Collectors.groupingBy(
                        Stint::tid,
                        Collectors.collectingAndThen(
                            Collectors.toList(),
                            all ->
                                all.stream()
                                    .sorted(Comparator.comparingLong(Stint::begin))
                                    .toList()))));
    return new MountLog(byCarrier);
  }

  List<Sighting> wrong(List<Sighting> sightings) {
    return sightings.stream().filter(sighting -> !explains(sighting)).toList();
  }

  private boolean explains(Sighting sighting) {
    List<Stint> stints = byCarrier.getOrDefault(sighting.tid(), List.of());
    for (int i = 0; i < stints.size(); i++) {
      long from = i == 0 ? Long.MIN_VALUE : stints.get(i - 1).end();
      long to = i == stints.size() - 1 ? Long.MAX_VALUE : stints.get(i + 1).begin();
      if (stints.get(i).span() == sighting.span()
          && from <= sighting.end()
          && sighting.begin() <= to) {
        return true;
      }
    }
    return false;
  }
}
