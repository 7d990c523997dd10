/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.mutated;

import dev.sennit.profiles.DatadogRecording;
import dev.sennit.profiles.SpannedWorkload;
import dev.sennit.profiles.jfr.ProfiledWorkload;
import dev.sennit.profiles.jfr.Recordings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The recordings that are damaged, by all who make them. They are made once and kept, for the
 * number of a mutation means something only with the recording that it was done to.
 */
final class Makers {
  private final Path folder;
  private final List<Path> recordings = new ArrayList<>();

  /** Makes a recording in that file. */
  private interface Maker {
    void make(Path file) throws IOException;
  }

  private Makers(Path folder) {
    this.folder = folder;
  }

  static List<Path> recordings(Path folder) throws IOException {
    Files.createDirectories(folder);
    Makers makers = new Makers(folder);
    makers.add(
        "hotspot.jfr",
        file -> Files.move(Recordings.hotSpot(folder), file, StandardCopyOption.REPLACE_EXISTING));
    makers.add("jmc-datadog.jfr", DatadogRecording::write);
    makers.add(
        "async-profiler.jfr",
        file ->
            profile(
                ProfiledWorkload.class,
                "event=ctimer,interval=5ms,alloc=200k,live,lock=1ms,nativemem=64k,jfr,file="
                    + file));
    makers.add(
        "async-profiler-spans.jfr",
        file -> profile(SpannedWorkload.class, "event=ctimer,interval=5ms,jfr,file=" + file));
    makers.add(
        "async-profiler-wall.jfr",
        file -> profile(ProfiledWorkload.class, "event=wall,interval=10ms,jfr,file=" + file));
    // Of several chunks, by two makers.
    makers.add(
        "async-profiler-jfrsync.jfr",
        file ->
            profile(
                ProfiledWorkload.class,
                "event=ctimer,interval=5ms,alloc=200k,jfrsync=default,file=" + file));
    return makers.recordings;
  }

  private void add(String name, Maker maker) throws IOException {
    Path file = folder.resolve(name);
    if (!Files.exists(file)) {
      Path unfinished = folder.resolve(name + ".new");
      maker.make(unfinished);
      Files.move(unfinished, file);
    }
    recordings.add(file);
  }

  private static void profile(Class<?> workload, String options) {
    Recordings.java(List.of("-Xmx128m"), workload, "start," + options);
  }
}
