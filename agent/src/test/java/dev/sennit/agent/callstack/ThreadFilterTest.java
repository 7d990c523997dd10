/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Threads that the JDK and OpenTelemetry's SDK have for themselves. */
class ThreadFilterTest {
  /** How the JDK waits for connections of virtual threads: by threads of its own, or virtual. */
  @ParameterizedTest
  @CsvSource({"1,Read-Poller,Write-Poller", "2,MasterPoller,SubPoller-0"})
  void leavesThemOutUnlessAsked(String pollerMode, String poller, String otherPoller) {
    assertThat(names(pollerMode, Map.of()))
        .contains("main", "accepts", "PeriodicMetricReaders of the shop")
        .noneMatch(
            name ->
                name.contains("Poller")
                    || name.contains("reaper")
                    || name.contains("WorkerThread")
                    || name.matches("PeriodicMetricReader-\\d+"));

    assertThat(names(pollerMode, Map.of("SPLUNK_PROFILER_INCLUDE_INTERNAL_STACKS", "true")))
        .contains(
            poller,
            otherPoller,
            "BatchSpanProcessor_WorkerThread-1",
            "BatchLogRecordProcessor_WorkerThread-1",
            "PeriodicMetricReader-1")
        .anyMatch(name -> name.startsWith("process reaper (pid "));
  }

  private static List<String> names(String pollerMode, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("SPLUNK_PROFILER_ENABLED", "true");
    all.put("SPLUNK_PROFILER_CALL_STACK_INTERVAL", "200");
    all.put("SPLUNK_PROFILER_VIRTUAL_THREADS", "all");
    List<String> options = new ArrayList<>(SampledProgram.OPEN_PACKAGES);
    options.add("-Djdk.pollerMode=" + pollerMode);
    try (LogCollector collector = LogCollector.start()) {
      all.put("SPLUNK_PROFILER_LOGS_ENDPOINT", collector.endpoint());
      try (ChildProcess program = SampledProgram.start(InternalThreads.class, all, options)) {
        program.expect("ready true");
        List<String> names =
            LogCollector.records(collector.take()).stream()
                .map(record -> record.getBody().getStringValue())
                .map(body -> body.substring(1, body.indexOf("\" #")))
                .toList();
        program.send("end");
        program.waitFor();
        return names;
      }
    }
  }
}
