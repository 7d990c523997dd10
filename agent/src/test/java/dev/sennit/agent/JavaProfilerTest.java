/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.thread.ContextApi;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requires
class JavaProfilerTest {
  @TempDir Path folder;

  /** Runs commands, one a line, and prints what came of each; {@code set:} sets an attribute. */
  static final class Commands {
    private Commands() {}

    /** What no command here needs. */
    private static Instrumentation unused() {
      return (Instrumentation)
          Proxy.newProxyInstance(
              Commands.class.getClassLoader(),
              new Class<?>[] {Instrumentation.class},
              (proxy, method, arguments) -> {
                throw new UnsupportedOperationException(method.getName());
              });
    }

    public static void main(String[] commands) {
      for (String command : commands) {
        if (command.startsWith("set:")) {
          System.out.println(ContextApi.setAttribute(command.substring("set:".length()), "value"));
          continue;
        }
        if (command.startsWith("agent:")) {
          AgentEntry.start(unused(), command.substring("agent:".length()), false);
          continue;
        }
        try {
          System.out.println(JavaProfiler.getInstance().execute(command).replace('\n', '|'));
        } catch (IllegalArgumentException | IllegalStateException e) {
          System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
        }
      }
    }
  }

  @Test
  void statusSaysWhichEngineRunsAndWhy() {
    List<String> lines =
        run(List.of(), "status", "start,cpu=20ms,ctxstorage=otel,file=" + file(), "status", "stop");

    assertThat(lines.get(0)).isEqualTo("not profiling; contexts: off");
    assertThat(lines.get(1))
        .isEqualTo("profiling started: async-profiler (the first choice), cpu=20ms");
    assertThat(lines.get(2))
        .contains("engine: async-profiler 4.5 from its jar, event cpu")
        .contains("(the first choice)")
        .contains("options: cpu=20ms,chunktime=60s")
        .contains("contexts: otel");
    assertThat(lines.get(3)).startsWith("profiling stopped").contains("1 chunks");
  }

  @Test
  void flightRecorderStepsInWhereAsyncProfilerCannotBeLoaded() {
    List<String> lines =
        run(List.of("-Dsennit.async.profiler=/nonexistent.so"), "start,file=" + file(), "stop");

    assertThat(lines.get(0))
        .startsWith("profiling started: JDK Flight Recorder (async-profiler does not run here")
        .contains("/nonexistent.so");
    assertThat(file()).isNotEmptyFile();
  }

  @Test
  void flightRecorderClaimsNoEventThatItDoesNotHave() {
    List<String> lines =
        run(
            List.of("-Dsennit.async.profiler=/nonexistent.so"),
            "start,wall=50ms,file=" + file(),
            "start,engine=jfr,wall=50ms,nativemem=512k,file=" + file(),
            "start,cpu=20ms,wall=50ms,file=" + file(),
            "status",
            "stop");

    assertThat(lines.get(0))
        .startsWith(
            "IllegalStateException: profiling does not start: JDK Flight Recorder has no wall, and"
                + " nothing else is to be sampled; add cpu, alloc or lock (async-profiler does")
        .contains("/nonexistent.so");
    assertThat(lines.get(1))
        .isEqualTo(
            "IllegalStateException: profiling does not start: JDK Flight Recorder has no wall,"
                + " nativemem, and nothing else is to be sampled; add cpu, alloc or lock");
    assertThat(lines.get(2)).endsWith("), cpu=20ms,wall=50ms, without wall");
    assertThat(lines.get(3)).contains(", without wall (async-profiler does not run here");
  }

  @Test
  void whatIsWrongIsThrownFromACommandAndOnlyLoggedByTheAgent() {
    Path log = folder.resolve("log");

    List<String> lines =
        run(
            List.of("-Dsennit.log=" + log),
            "start,cup=10ms",
            "stop",
            "start,file=/proc/nowhere/a.jfr",
            "agent:start,cup=10ms",
            "agent:");

    assertThat(lines.get(0)).startsWith("IllegalArgumentException: 'cup' is not an option");
    assertThat(lines.get(1)).isEqualTo("IllegalStateException: not profiling; start it first");
    assertThat(lines.get(2))
        .startsWith("IllegalArgumentException: file=/proc/nowhere/a.jfr cannot be written");
    assertThat(lines).hasSize(3);
    assertThat(log).content().contains("'cup' is not an option").contains("nothing to do");
  }

  @Test
  void whoIsRefusedIsToldWhatRuns() {
    List<String> lines =
        run(
            List.of("-Dsennit.otlp.queue.directory=" + folder),
            "start,engine=jfr,cpu=20ms,file=" + file(),
            "start,wall",
            "stop",
            "start,alloc,otlp=http://localhost:1",
            "start,wall",
            "stop");

    assertThat(lines.get(1))
        .startsWith("IllegalStateException: profiling runs already: JDK Flight Recorder (")
        .endsWith("), cpu=20ms,file=" + file() + "; stop it first");
    assertThat(lines.get(4))
        .startsWith("IllegalStateException: profiling runs already: async-profiler (")
        .endsWith("), alloc=512k,otlp=http://localhost:1; stop it first");
  }

  @Test
  void whatNeedsTheAgentIsRefusedFromCodeAndNotIgnored() {
    List<String> lines =
        run(
            List.of("-Dsennit.handoff=executor"),
            "start,handoff,file=" + file(),
            "start,inbound=/run/sennit.sock,file=" + file(),
            "start,tls=on,file=" + file(),
            "status",
            "start,handoff=none,tls=off,file=" + file(),
            "stop",
            "start,file=" + file(),
            "stop");

    assertThat(lines.subList(0, 3))
        .allSatisfy(
            line ->
                assertThat(line)
                    .startsWith("IllegalArgumentException: 'start,")
                    .contains("handoff, inbound and tls need -javaagent:"));
    assertThat(lines.get(3)).isEqualTo("not profiling; contexts: off");
    assertThat(lines.get(4)).startsWith("profiling started");
    assertThat(lines.get(6)).as("a property is the agent's").startsWith("profiling started");
  }

  @Test
  void keysAreAnnouncedAlsoWhereContextsRunAlready() {
    List<String> lines =
        run(
            List.of(),
            "start,attributes=first,file=" + file(),
            "stop",
            "set:second",
            "start,attributes=second,file=" + file(),
            "set:second",
            "set:first",
            "stop");

    assertThat(lines.get(2)).isEqualTo("KEY_NOT_ANNOUNCED");
    assertThat(lines.subList(4, 6)).containsExactly("SET", "SET");
  }

  @Test
  void aLaterStartMayAskForRecordsThatCanBeReadFromOutside() {
    List<String> lines =
        run(
            List.of(),
            "start,file=" + file(),
            "stop",
            "start,ctxstorage=otel,file=" + file(),
            "status",
            "stop");

    assertThat(lines.get(2)).startsWith("profiling started");
    assertThat(lines.get(3)).contains("contexts: otel");
  }

  @Test
  void aCollectorThatIsAwayIsInTheStatusAndNotOnStandardError() {
    List<String> lines =
        run(
            List.of("-Dsennit.otlp.queue.directory=" + folder),
            "start,otlp=http://localhost:1",
            "dump",
            "stop");

    assertThat(lines.get(2)).contains("profiles to http://localhost:1").contains("last error: ");
  }

  @Test
  void nothingIsLeftBehind() throws Exception {
    run(List.of("-Djava.io.tmpdir=" + folder), "start,file=" + file(), "dump", "stop");

    try (var left = Files.list(folder)) {
      assertThat(left.map(path -> path.getFileName().toString()).toList())
          .filteredOn(name -> !name.startsWith("sennit-" + System.getProperty("user.name")))
          .containsExactly(file().getFileName().toString());
    }
  }

  private Path file() {
    return folder.resolve("a.jfr");
  }

  private static List<String> run(List<String> jvmOptions, String... commands) {
    try (ChildProcess child =
        ChildProcess.start(ChildProcess.javaCommand(jvmOptions, Commands.class, commands))) {
      List<String> lines = new ArrayList<>(child.readAll());
      assertThat(child.waitFor()).as("%s\n%s", lines, child.errors()).isZero();
      assertThat(child.errors()).isEmpty();
      return lines;
    }
  }
}
