/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.sennit.testing.ChildProcess;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program with threads in every state, seen by a collector. */
class CallStacksTest {
  private static final String FORMAT = "SPLUNK_PROFILER_DATA_FORMAT";

  @TempDir Path queue;

  private final Map<String, Long> numbers = new HashMap<>();
  private final Map<String, Integer> tids = new HashMap<>();
  private final Map<String, ParsedStack> stacks = new HashMap<>();

  @Test
  void writesEveryThreadAsTheConventionsHaveItWhateverItsStateAndName() {
    List<LogRecord> records = sample(Map.of("SPLUNK_PROFILER_VIRTUAL_THREADS", "all"));

    assertThat(stacks.values())
        .extracting(ParsedStack::index)
        .containsExactlyInAnyOrderElementsOf(
            numbers.entrySet().stream()
                .filter(entry -> !entry.getKey().equals("new"))
                .map(Map.Entry::getValue)
                .toList());
    assertThat(records.stream().map(CallStacksTest::parse).map(ParsedStack::index)).isSorted();

    assertState("burns", "RUNNABLE");
    assertState("blocked", "BLOCKED (on object monitor)");
    assertState("waits", "WAITING (on object monitor)");
    assertState("waits for a time", "TIMED_WAITING (on object monitor)");
    assertState("parked", "WAITING (parking)");
    assertState("parked for a time", "TIMED_WAITING (parking)");
    assertState("sleeps", "TIMED_WAITING (sleeping)");
    assertState("main", "RUNNABLE");
    for (String name : numbers.keySet()) {
      if (!name.equals("new")) {
        assertThat(stack(name).name()).isEqualTo(name);
      }
    }
    for (String name : List.of("burns", "blocked", "waits", "parked", "sleeps", "main")) {
      assertThat(stack(name).nid()).isEqualTo(Integer.toHexString(tids.getOrDefault(name, 0)));
      assertThat(stack(name).priority()).isEqualTo(name.equals("main") ? 5 : 3);
      assertThat(stack(name).cpu()).isNotEqualTo("0ms");
      assertThat(stack(name).elapsed()).isNotEqualTo("0s");
    }
    assertThat(stack("burns").status()).startsWith("runnable");
    assertThat(stack("burns").frames().getFirst())
        .matches(
            "dev\\.sennit\\.agent\\.callstack\\.ThreadStates\\.burn\\(ThreadStates\\.java:\\d+\\)");
    assertThat(stack("burns").frames()).anyMatch(frame -> frame.endsWith("$$Lambda.run(unknown)"));
    assertThat(stack("main").frames().getFirst()).endsWith("(Native Method)");
    assertThat(stack("parked virtual").state()).isEqualTo("WAITING");
    assertThat(stack("virtual \"線\"").state()).isEqualTo("RUNNABLE");
    assertThat(stack("virtual \"線\"").frames())
        .noneMatch(frame -> frame.startsWith("java.util.concurrent.ForkJoinPool"));
  }

  @Test
  void namesTheScopeTheRecordsAndTheirSpans() {
    Instant before = Instant.now();
    List<LogRecord> records = sample(Map.of("OTEL_SERVICE_NAME", "states"));
    Instant after = Instant.now();

    assertThat(attributes(request.getResourceLogs(0).getResource().getAttributesList()))
        .containsEntry("service.name", "states");
    InstrumentationScope scope = request.getResourceLogs(0).getScopeLogs(0).getScope();
    assertThat(scope.getName()).isEqualTo("otel.profiling");
    assertThat(scope.getVersion()).isEqualTo("0.1.0");
    for (LogRecord record : records) {
      assertThat(record.getEventName()).isEqualTo("otel.profiling");
      assertThat(attributes(record.getAttributesList()))
          .containsEntry("com.splunk.sourcetype", "otel.profiling")
          .containsEntry("source.event.period", "200")
          .containsEntry("source.event.name", "ThreadDump")
          .containsEntry("profiling.data.format", "text")
          .containsEntry("profiling.data.type", "cpu");
      Instant time = Instant.EPOCH.plus(Duration.ofNanos(record.getTimeUnixNano()));
      assertThat(time).isBetween(before, after);
      ParsedStack stack = parse(record);
      boolean inSpan = stack.priority() == 3 || stack.name().startsWith("virtual");
      assertThat(record.getTraceId())
          .isEqualTo(inSpan ? bytes(stack.index(), stack.index() + 1) : ByteString.EMPTY);
      assertThat(record.getSpanId())
          .isEqualTo(inSpan ? bytes(stack.index() + 2) : ByteString.EMPTY);
      assertThat(record.getFlags()).isEqualTo(inSpan ? 1 : 0);
    }
    assertThat(records.stream().filter(record -> !record.getSpanId().isEmpty())).hasSize(14);
    assertThat(stacks).doesNotContainKey("parked virtual");
  }

  @Test
  void leavesOutWhatTheUserExcludesAndShowsInternalThreadsWhenAsked() {
    sample(
        Map.of(
            "SPLUNK_PROFILER_EXCLUDED_THREADS", "left out ?, wait*, VM *, G1 *, GC *, *Compiler*",
            "SPLUNK_PROFILER_INCLUDE_AGENT_INTERNALS", "true"));
    assertThat(stacks)
        .doesNotContainKeys("left out 7", "waits", "waits for a time", "Reference Handler")
        .containsKeys("blocked", "parked", "sennit-call-stacks");
  }

  @Test
  void makesOneRecordOfADumpForTodaysBackends() {
    sample(Map.of(FORMAT, "pprof-gzip-base64"));
    assertThat(stacks).isEmpty();
    assertThat(LogCollector.records(request)).hasSize(1);
    LogRecord record = LogCollector.records(request).getFirst();
    assertThat(record.getBody().getStringValue()).matches("[A-Za-z0-9+/]+=*");
    assertThat(record.getTraceId()).isEqualTo(ByteString.EMPTY);
    assertThat(attributes(record.getAttributesList()))
        .containsEntry("profiling.data.format", "pprof-gzip-base64")
        .containsEntry("profiling.data.type", "cpu")
        .containsEntry("profiling.instrumentation.source", "continuous")
        .containsKey("profiling.data.total.frame.count");
  }

  @Test
  void dumpsByTheMBeanWhereTheJdkIsClosed() {
    List<LogRecord> records = sample(Map.of(), List.of());
    assertThat(stacks).containsKeys("burns", "blocked", "main");
    assertThat(records.stream().filter(record -> !record.getSpanId().isEmpty())).hasSize(14);
  }

  private ExportLogsServiceRequest request = ExportLogsServiceRequest.getDefaultInstance();

  private List<LogRecord> sample(Map<String, String> settings) {
    return sample(settings, SampledProgram.OPEN_PACKAGES);
  }

  private List<LogRecord> sample(Map<String, String> settings, List<String> options) {
    try (LogCollector collector = LogCollector.start()) {
      Map<String, String> all = new HashMap<>(settings);
      all.put("SPLUNK_PROFILER_ENABLED", "true");
      all.put("SPLUNK_PROFILER_LOGS_ENDPOINT", collector.endpoint());
      all.put("SPLUNK_PROFILER_CALL_STACK_INTERVAL", "200");
      all.put("SENNIT_OTLP_QUEUE_DIRECTORY", queue.toString());
      try (ChildProcess program = SampledProgram.start(ThreadStates.class, all, options)) {
        readThreads(program);
        // The first dump may be older than the last thread.
        collector.take();
        request = collector.take();
      }
    }
    List<LogRecord> records = LogCollector.records(request);
    for (LogRecord record : settings.containsKey(FORMAT) ? List.<LogRecord>of() : records) {
      ParsedStack stack = parse(record);
      stacks.put(stack.name(), stack);
    }
    return records;
  }

  private void readThreads(ChildProcess program) {
    for (String line = program.readLine(); !line.startsWith("ready"); line = program.readLine()) {
      String[] words = line.split(" ", -1);
      String name = new String(Base64.getDecoder().decode(words[3]), StandardCharsets.UTF_8);
      numbers.put(name, Long.parseLong(words[1]));
      tids.put(name, Integer.parseInt(words[2]));
    }
  }

  private ParsedStack stack(String name) {
    @Nullable ParsedStack stack = stacks.get(name);
    if (stack == null) {
      throw new AssertionError("no thread '" + name + "' among " + stacks.keySet());
    }
    return stack;
  }

  private void assertState(String name, String state) {
    assertThat(stack(name).state()).describedAs(name).isEqualTo(state);
  }

  private static ParsedStack parse(LogRecord record) {
    return ParsedStack.parse(record.getBody().getStringValue());
  }

  private static Map<String, String> attributes(List<KeyValue> attributes) {
    Function<KeyValue, String> value =
        attribute ->
            attribute.getValue().hasIntValue()
                ? Long.toString(attribute.getValue().getIntValue())
                : attribute.getValue().getStringValue();
    return attributes.stream().collect(Collectors.toMap(KeyValue::getKey, value));
  }

  private static ByteString bytes(long... words) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * words.length);
    for (long word : words) {
      bytes.putLong(word);
    }
    return ByteString.copyFrom(bytes.array());
  }
}
