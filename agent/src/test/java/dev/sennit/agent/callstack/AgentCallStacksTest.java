/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import dev.sennit.agent.boot.AgentJvm;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Call stacks of JVMs with the agent as it is shipped. */
@Requires
class AgentCallStacksTest {
  private static final String ENABLED = "SPLUNK_PROFILER_ENABLED";
  private static final String ENDPOINT = "SPLUNK_PROFILER_LOGS_ENDPOINT";
  private static final String INTERVAL = "SPLUNK_PROFILER_CALL_STACK_INTERVAL";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;

  /** Ends when it is told to, or as soon as something is to be sent. */
  static final class Application {
    private Application() {}

    public static void main(String[] arguments) throws IOException {
      System.out.println("runs");
      if (arguments.length == 0) {
        System.in.read();
      } else {
        while (!isSending()) {
          LockSupport.parkNanos(1_000_000);
        }
      }
    }

    /** Without stopping all threads each time, which keeps the first dump waiting. */
    private static boolean isSending() {
      Thread[] found = new Thread[Thread.activeCount() + 16];
      int count = Thread.enumerate(found);
      return Stream.of(found)
          .limit(count)
          .anyMatch(thread -> thread.getName().equals("sennit-export"));
    }
  }

  @Test
  void aSwitchThatIsNeitherOnNorOffIsNamed() {
    assertThat(errors(Map.of(ENABLED, "yes")))
        .contains("SPLUNK_PROFILER_ENABLED=yes is not true or false")
        .doesNotContain("call stacks, contexts")
        .doesNotContain("contexts: ");
    assertThat(errors(Map.of(ENABLED, "true"), "-Dsplunk.profiler.enabled=1"))
        .contains("splunk.profiler.enabled=1 is not true or false");
  }

  @Test
  void anEmptyPropertyHidesNoVariable() {
    assertThat(errors(Map.of(ENABLED, "true"), "-Dsplunk.profiler.enabled="))
        .contains("call stacks, contexts: otel");
  }

  @Test
  void aSettingThatIsRefusedIsNamedAndNothingElseIsClaimed() {
    assertThat(errors(Map.of(ENABLED, "true", INTERVAL, "10s")))
        .contains("call stacks are not sampled: SPLUNK_PROFILER_CALL_STACK_INTERVAL=10s")
        .contains("contexts: otel")
        .doesNotContain("call stacks, ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "false", " FALSE "})
  void offLoadsNoClassForIt(String off) throws IOException {
    Path classes = folder.resolve("classes");
    assertThat(
            errors(Map.of(ENABLED, off), "-Xlog:class+load:file=" + classes + ":none:filecount=0"))
        .contains("nothing to do");
    assertThat(Files.readAllLines(classes))
        .anyMatch(line -> line.contains("dev.sennit.agent.AgentEntry "))
        .filteredOn(line -> line.contains(CallStackSampler.class.getPackageName() + "."))
        .allMatch(line -> line.contains(Application.class.getName()));
  }

  @Test
  void aCollectorThatIsAwayIsInTheStatusAndNotOnStandardError() throws Exception {
    try (ChildProcess application =
        AgentJvm.start(
            environment(Map.of(ENABLED, "true", ENDPOINT, "http://localhost:1")), command())) {
      application.expect("runs");
      long end = System.nanoTime() + PATIENCE.toNanos();
      do {
        attach(application, "status");
        assertThat(System.nanoTime()).as(application.errors()).isLessThan(end);
      } while (!application.errors().contains("last error: "));
      application.send("");
      assertThat(application.waitFor()).isZero();
      assertThat(application.errors().lines())
          .allMatch(
              line ->
                  line.endsWith("call stacks, contexts: otel")
                      || line.matches(
                          ".*not profiling; contexts: otel call stacks: \\d+ dumps, 0 failed, .*"
                              + "logs to http://localhost:1/? by grpc.*"));
    }
  }

  @Test
  void whatIsInMemoryIsSentWhenTheJvmEnds() {
    try (LogCollector collector = LogCollector.start();
        ChildProcess application =
            AgentJvm.start(
                environment(
                    Map.of(ENABLED, "true", ENDPOINT, collector.endpoint(), INTERVAL, "200")),
                command("at once"))) {
      assertThat(application.waitFor()).isZero();
      assertThat(LogCollector.records(collector.take())).isNotEmpty();
    }
  }

  private static void attach(ChildProcess application, String options) throws Exception {
    VirtualMachine machine = VirtualMachine.attach(Integer.toString(application.pid()));
    try {
      machine.loadAgent(AgentJvm.JAR.toString(), options);
    } finally {
      machine.detach();
    }
  }

  /** What an application with the agent says on standard error from its start to its end. */
  private static String errors(Map<String, String> settings, String... options) {
    List<String> command = new ArrayList<>(List.of(options));
    command.addAll(command());
    try (ChildProcess application = AgentJvm.start(environment(settings), command)) {
      application.expect("runs");
      application.send("");
      assertThat(application.waitFor()).isZero();
      return application.errors();
    }
  }

  private static Map<String, String> environment(Map<String, String> settings) {
    Map<String, String> environment = new HashMap<>(settings);
    environment.putIfAbsent(ENDPOINT, "http://localhost:1");
    environment.put("SENNIT_OTLP_QUEUE_BOUND", "0");
    return environment;
  }

  private static List<String> command(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add("-XX:+EnableDynamicAgentLoading");
    command.add(AgentJvm.agent(""));
    command.addAll(List.of("-cp", ChildProcess.classPath(), Application.class.getName()));
    command.addAll(List.of(arguments));
    return command;
  }
}
