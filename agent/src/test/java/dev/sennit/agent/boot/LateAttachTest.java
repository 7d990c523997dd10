/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.reader.ProcessContextReader;
import dev.sennit.context.reader.ProcessReading;
import dev.sennit.context.reader.ThreadReading;
import dev.sennit.context.reader.ThreadRecord;
import dev.sennit.context.reader.ThreadRecordReader;
import dev.sennit.context.thread.AttributeKey;
import dev.sennit.context.thread.ContextApi;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requires
class LateAttachTest {
  @TempDir private Path folder;

  /** An application that waits for a line before it ends. */
  private ChildProcess application() {
    AgentJvm.compile(
        folder,
        "Waiting.java",
        """
        public class Waiting {
          public static void main(String[] arguments) throws Exception {
            System.out.println("waiting");
            System.in.read();
            System.out.println("ended");
          }
        }
        """);
    ChildProcess application =
        AgentJvm.start(
            List.of("-XX:+EnableDynamicAgentLoading", "-cp", folder.toString(), "Waiting"));
    application.expect("waiting");
    return application;
  }

  private static void attach(ChildProcess application, String options) throws Exception {
    VirtualMachine machine = VirtualMachine.attach(Integer.toString(application.pid()));
    try {
      machine.loadAgent(AgentJvm.JAR.toString(), options);
    } finally {
      machine.detach();
    }
  }

  @Test
  void itStartsInAJvmThatRuns() throws Exception {
    try (ChildProcess application = application()) {
      attach(application, "ctxstorage=otel");
      application.send("");
      assertThat(application.readAll()).containsExactly("ended");
      assertThat(application.waitFor()).isZero();
      assertThat(application.errors().lines()).hasSize(1).first().asString().contains("sennit: ");
    }
  }

  @Test
  void aSecondAttachmentFindsTheFirst() throws Exception {
    try (ChildProcess application = application()) {
      attach(application, "ctxstorage=otel");
      // The ring of the first is there: another storage cannot be chosen.
      attach(application, "ctxstorage=otep");
      application.send("");
      assertThat(application.readAll()).containsExactly("ended");
      assertThat(application.waitFor()).isZero();
      assertThat(application.errors()).contains("ctxstorage=otel was chosen at start");
    }
  }

  /** An application with contexts of its own: it says what it can do each time it is told to. */
  static final class Contexts {
    private static final long SPAN = 0x1234;

    private Contexts() {}

    public static void main(String[] arguments) throws Exception {
      ContextApi.initialize(arguments[0]);
      AttributeKey user = ContextApi.announce("user");
      for (long span = SPAN; ; span++) {
        ContextApi.setOtel(1, 2, span, 1);
        System.out.println(
            "%s %s %s"
                .formatted(
                    ContextApi.getMode().optionValue(),
                    ContextApi.setAttribute("route", "/cart"),
                    ContextApi.setAttribute(user, "u1")));
        if (System.in.read() < 0) {
          return;
        }
      }
    }
  }

  private static ChildProcess applicationWithContexts(String options) {
    return AgentJvm.start(
        List.of(
            "-XX:+EnableDynamicAgentLoading",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            ChildProcess.classPath(),
            Contexts.class.getName(),
            options));
  }

  private static List<ThreadRecord> threads(int pid) {
    ProcessContext context =
        ((ProcessReading.Published) new ProcessContextReader().read(pid)).context();
    try (ThreadRecordReader reader = ThreadRecordReader.open(pid, context)) {
      return ((ThreadReading.Threads) reader.read()).threads();
    }
  }

  @Test
  void whoAttachesLaterGetsRecordsThatCanBeReadFromOutside() throws Exception {
    try (ChildProcess application = applicationWithContexts("ctxstorage=profiler")) {
      application.expect("profiler ");
      attach(application, "start,file=" + folder.resolve("a.jfr"));
      attach(application, "stop");
      application.send("");
      application.expect("profiler ");
      attach(application, "ctxstorage=otel");
      application.send("");
      application.expect("otel ");
      assertThat(threads(application.pid()))
          .extracting(ThreadRecord::spanId)
          .containsExactly(Contexts.SPAN + 2);
      assertThat(application.errors()).doesNotContain("is not done");
    }
  }

  @Test
  void keysOfTheApplicationStayAnnouncedWhenTheAgentTakesTheRecordsOver() throws Exception {
    try (ChildProcess application =
        applicationWithContexts("ctxstorage=profiler,attributes=route")) {
      assertThat(application.expect("profiler ")).isEqualTo("SET SET");
      attach(application, "ctxstorage=profiler,attributes=tier");
      application.send("");
      assertThat(application.expect("profiler ")).isEqualTo("SET SET");
      attach(application, "ctxstorage=otep");
      application.send("");
      assertThat(application.expect("otep ")).isEqualTo("SET SET");
      assertThat(threads(application.pid()))
          .extracting(ThreadRecord::attributes)
          .containsExactly(Map.of("route", "/cart", "user", "u1"));
    }
  }

  @Test
  void wrongOptionsLeaveTheApplicationRunning() throws Exception {
    try (ChildProcess application = application()) {
      attach(application, "start,frobnicate");
      application.send("");
      assertThat(application.readAll()).containsExactly("ended");
      assertThat(application.waitFor()).isZero();
      assertThat(application.errors()).contains("frobnicate");
    }
  }
}
