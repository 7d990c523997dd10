/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.nio.file.Path;
import java.util.List;
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
