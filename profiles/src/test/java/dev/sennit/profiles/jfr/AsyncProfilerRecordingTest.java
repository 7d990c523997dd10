/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.Requires;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings of async-profiler, alone and merged with those of the flight recorder. */
@Requires
final class AsyncProfilerRecordingTest {
  @TempDir Path folder;

  @Test
  void itsOwnEventsAreReadAsTheJdkReadsThem() throws IOException {
    Path recording = folder.resolve("async.jfr");
    profile("start,event=ctimer,interval=1ms,alloc=10k,lock=1us,jfr,file=" + recording);
    assertThat(JdkComparison.assertSame(recording))
        .containsKeys(
            "jdk.ExecutionSample", "jdk.ObjectAllocationInNewTLAB", "jdk.JavaMonitorEnter");
  }

  @Test
  void wallClockSamplesAreReadAsTheJdkReadsThem() throws IOException {
    Path recording = folder.resolve("wall.jfr");
    profile("start,event=wall,interval=5ms,jfr,file=" + recording);
    assertThat(JdkComparison.assertSame(recording)).containsKey("profiler.WallClockSample");
  }

  @Test
  void aRecordingMergedWithTheFlightRecorderIsReadAsTheJdkReadsIt() throws IOException {
    Path recording = folder.resolve("sync.jfr");
    profile("start,event=ctimer,interval=1ms,alloc=10k,jfrsync=default,file=" + recording);
    assertThat(JdkComparison.assertSame(recording))
        .containsKeys("jdk.ExecutionSample", "jdk.ActiveSetting", "jdk.JVMInformation");
  }

  private static void profile(String command) {
    Recordings.java(List.of("-Xmx128m"), ProfiledWorkload.class, command);
  }
}
