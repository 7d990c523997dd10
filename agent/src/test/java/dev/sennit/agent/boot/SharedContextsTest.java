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
import dev.sennit.context.thread.ContextApi;
import dev.sennit.context.thread.ThreadContext;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An application with a copy of the context classes, and an agent with another. */
@Requires
class SharedContextsTest {
  private static final long SPAN = 0x1234;
  private static final long ROOT = 0x5678;

  /** The application: it says which span it is in each time it is told to go on. */
  static final class Application {
    public static void main(String[] arguments) throws Exception {
      if (arguments.length > 0) {
        ContextApi.initialize(arguments[0]);
      }
      for (int i = 0; i < 2; i++) {
        ThreadContext.current().put(SPAN + i, ROOT);
        System.out.println("put " + ContextApi.getMode().optionValue());
        System.in.read();
      }
    }
  }

  private static ChildProcess start(String agentOption, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(agentOption);
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", ChildProcess.classPath()));
    command.add(Application.class.getName());
    command.addAll(List.of(arguments));
    return AgentJvm.start(command);
  }

  private static List<Long> spans(int pid) {
    ProcessContext context =
        ((ProcessReading.Published) new ProcessContextReader().read(pid)).context();
    try (ThreadRecordReader reader = ThreadRecordReader.open(pid, context)) {
      return ((ThreadReading.Threads) reader.read())
          .threads().stream().map(ThreadRecord::spanId).toList();
    }
  }

  @Test
  void whatTheApplicationPutsIsInTheAgentsRecords() {
    try (ChildProcess application = start(AgentJvm.agent("ctxstorage=otel"))) {
      assertThat(application.expect("put ")).isEqualTo("otel");
      assertThat(spans(application.pid())).containsExactly(SPAN);
      application.send("");
      application.expect("put ");
      assertThat(spans(application.pid())).containsExactly(SPAN + 1);
    }
  }

  @Test
  void anAgentThatComesLaterTakesTheRecordsOver() throws Exception {
    try (ChildProcess application =
        start("-XX:+EnableDynamicAgentLoading", "ctxstorage=profiler")) {
      assertThat(application.expect("put ")).isEqualTo("profiler");
      VirtualMachine machine = VirtualMachine.attach(Integer.toString(application.pid()));
      machine.loadAgent(AgentJvm.JAR.toString(), "ctxstorage=otel");
      machine.detach();
      application.send("");
      assertThat(application.expect("put ")).isEqualTo("otel");
      assertThat(spans(application.pid())).containsExactly(SPAN + 1);
    }
  }
}
