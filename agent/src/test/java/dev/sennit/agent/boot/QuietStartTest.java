/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.Requires;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an application notices of the agent when it is started with it. */
@Requires
class QuietStartTest {
  @TempDir private static Path folder;

  /** All that the agent does, but for sending. */
  private static String everything() {
    return "start,cpu=10ms,wall=50ms,ctxstorage=otel,jfr,file=" + folder.resolve("%p.jfr");
  }

  @BeforeAll
  static void compileApplications() {
    AgentJvm.compile(
        folder,
        "Application.java",
        """
        public class Application {
          public static void main(String[] arguments) {
            System.out.println("application");
          }
        }
        """,
        "Threads.java",
        """
        public class Threads {
          public static void main(String[] arguments) {
            Thread.getAllStackTraces().keySet().stream().map(Thread::getName).sorted()
                .forEach(System.out::println);
          }
        }
        """,
        "Recorder.java",
        """
        public class Recorder extends java.util.logging.LogManager {
          static { System.out.println("logging was initialised"); }
        }
        """);
  }

  private static AgentJvm.Outcome run(String main, String... options) {
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(List.of("-cp", folder.toString(), main));
    return AgentJvm.run(arguments);
  }

  private static void assertQuiet(AgentJvm.Outcome outcome) {
    assertThat(outcome.status()).isZero();
    assertThat(outcome.out()).containsExactly("application");
    assertThat(outcome.err().lines()).hasSize(1).first().asString().startsWith("sennit: ");
  }

  @Test
  void itSaysOneLineOnStandardErrorAndNothingElse() {
    assertQuiet(run("Application", AgentJvm.agent(everything())));
  }

  @Test
  void nativeAccessIsSilentAlsoWhereItIsDenied() {
    AgentJvm.Outcome outcome =
        run("Application", "--illegal-native-access=deny", AgentJvm.agent(everything()));
    assertQuiet(outcome);
    assertThat(outcome.err()).doesNotContain("could not").doesNotContain("Illegal");
  }

  @Test
  void theLineCanBeSwitchedOffOrSentToAFile() throws Exception {
    assertThat(run("Application", "-Dsennit.log=off", AgentJvm.agent(everything())).err())
        .isEmpty();
    Path log = folder.resolve("agent.log");
    AgentJvm.Outcome outcome =
        run("Application", "-Dsennit.log=" + log, AgentJvm.agent(everything()));
    assertThat(outcome.err()).isEmpty();
    assertThat(Files.readString(log)).startsWith("sennit: ");
  }

  @Test
  void aVariableDoesTheSameWhereThereIsNoProperty() throws Exception {
    assertThat(run(Map.of("SENNIT_LOG", "off"), AgentJvm.agent(everything())).err()).isEmpty();
    Path log = folder.resolve("by-variable.log");
    Map<String, String> environment = Map.of("SENNIT_LOG", log.toString());
    assertThat(run(environment, "-Dsennit.log=", AgentJvm.agent(everything())).err()).isEmpty();
    assertThat(Files.readString(log)).startsWith("sennit: ");
    AgentJvm.Outcome outcome =
        run(environment, "-Dsennit.log=stderr", AgentJvm.agent(everything()));
    assertQuiet(outcome);
    assertThat(log).content().hasLineCount(1);
  }

  @Test
  void whatMendsItselfIsSaidInTheFileOfAVariable() {
    Path log = folder.resolve("details.log");
    String options = "start,cpu=10ms,otlp=http://localhost:1";
    run(
        Map.of("SENNIT_LOG", log.toString(), "SENNIT_OTLP_QUEUE_BOUND", "0"),
        AgentJvm.agent(options));
    assertThat(log)
        .content()
        .contains("profiling started")
        .contains("profiles to http://localhost:1");
  }

  private static AgentJvm.Outcome run(Map<String, String> environment, String... options) {
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(List.of("-cp", folder.toString(), "Application"));
    return AgentJvm.run(environment, arguments);
  }

  @Test
  void anUnknownOptionIsNamedAndTheApplicationRuns() {
    AgentJvm.Outcome outcome = run("Application", AgentJvm.agent("start,frobnicate=1"));
    assertQuiet(outcome);
    assertThat(outcome.err()).contains("frobnicate");
  }

  @Test
  void aDamagedAgentIsOneLineAndTheApplicationRuns() throws Exception {
    Path damaged = folder.resolve("damaged.jar");
    Files.copy(AgentJvm.JAR, damaged);
    try (var files = java.nio.file.FileSystems.newFileSystem(damaged)) {
      Files.delete(files.getPath("core/dev/sennit/agent/AgentEntry.classdata"));
    }
    AgentJvm.Outcome outcome = run("Application", "-javaagent:" + damaged);
    assertQuiet(outcome);
    assertThat(outcome.err()).contains("could not start", "AgentEntry");
    Path log = folder.resolve("damaged.log");
    AgentJvm.Outcome logged =
        run(Map.of("SENNIT_LOG", log.toString()), "-Dsennit.log=", "-javaagent:" + damaged);
    assertThat(logged.err()).isEmpty();
    assertThat(log).content().contains("could not start");
  }

  @Test
  void theApplicationsLogManagerIsNotInitialised() {
    assertQuiet(
        run("Application", "-Djava.util.logging.manager=Recorder", AgentJvm.agent(everything())));
  }

  @Test
  void withEverythingOffThereIsNoFurtherThread() {
    List<String> without = run("Threads").out();
    assertThat(run("Threads", AgentJvm.agent("")).out()).isEqualTo(without);
  }

  @Test
  void noClassIsChangedBeforeAVirtualThreadHasAContext() {
    for (String options : List.of("", everything())) {
      assertQuiet(run("Application", "-Xlog:redefine+class+load*=info", AgentJvm.agent(options)));
    }
  }

  @Test
  void aModularApplicationRuns() throws Exception {
    Path modules = folder.resolve("modules");
    AgentJvm.compile(
        modules.resolve("application"),
        "module-info.java",
        "module application {}",
        "application/Main.java",
        """
        package application;
        public class Main {
          public static void main(String[] arguments) {
            System.out.println("application");
          }
        }
        """);
    assertQuiet(
        AgentJvm.run(
            List.of(
                AgentJvm.agent(everything()),
                "-p",
                modules.toString(),
                "-m",
                "application/application.Main")));
  }

  @Test
  void classesOfTheSameNamesInTheApplicationAreNoConcernOfTheAgent() {
    Path clash = folder.resolve("clash");
    AgentJvm.compile(
        clash,
        "ContextApi.java",
        """
        package dev.sennit.context.thread;
        public class ContextApi {
          static { if (true) throw new IllegalStateException("the application's was used"); }
        }
        """,
        "AgentEntry.java",
        """
        package dev.sennit.agent;
        public class AgentEntry {
          static { if (true) throw new IllegalStateException("the application's was used"); }
        }
        """,
        "AsyncProfiler.java",
        """
        package one.profiler;
        public class AsyncProfiler {
          static { if (true) throw new IllegalStateException("the application's was used"); }
        }
        """);
    AgentJvm.Outcome outcome =
        AgentJvm.run(
            List.of(
                AgentJvm.agent(everything()),
                "-cp",
                clash + File.pathSeparator + folder,
                "Application"));
    assertQuiet(outcome);
    assertThat(outcome.err()).doesNotContain("was used");
  }

  @Test
  void anApplicationStartsFromItsOwnCacheOfClasses() {
    Path jar = folder.resolve("application.jar");
    assertThat(
            java.util.spi.ToolProvider.findFirst("jar")
                .orElseThrow()
                .run(
                    System.out,
                    System.err,
                    "-cf",
                    jar.toString(),
                    "-C",
                    folder.toString(),
                    "Application.class"))
        .isZero();
    Path cache = folder.resolve("application.aot");
    List<String> application = List.of("-cp", jar.toString(), "Application");
    List<String> training =
        new ArrayList<>(List.of("--add-modules", "java.instrument", "-XX:AOTCacheOutput=" + cache));
    training.addAll(application);
    assertThat(AgentJvm.run(training).status()).isZero();
    assertThat(cache).exists();
    List<String> cached =
        new ArrayList<>(
            List.of("-XX:AOTMode=on", "-XX:AOTCache=" + cache, AgentJvm.agent(everything())));
    cached.addAll(application);
    assertQuiet(AgentJvm.run(cached));
  }
}
