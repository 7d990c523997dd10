/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

class AgentJarTest {
  private static final int JAVA_11 = 55;

  @Test
  void theRootHasTheBootClassesAndNothingElse() throws IOException {
    try (JarFile jar = new JarFile(AgentJvm.JAR.toFile())) {
      assertThat(jar.stream().map(JarEntry::getName))
          .allMatch(
              name ->
                  name.equals("META-INF/MANIFEST.MF")
                      || name.startsWith("dev/sennit/agent/boot/")
                      || name.startsWith("core/"))
          .contains(
              "core/dev/sennit/agent/AgentEntry.classdata",
              "core/dev/sennit/context/thread/ContextApi.classdata",
              "core/one/profiler/AsyncProfiler.classdata",
              "core/linux-x64/libasyncProfiler.so");
    }
  }

  @Test
  void nothingInTheFolderIsTakenForAClass() throws IOException {
    try (JarFile jar = new JarFile(AgentJvm.JAR.toFile())) {
      assertThat(jar.stream().map(JarEntry::getName).filter(name -> name.startsWith("core/")))
          .noneMatch(name -> name.endsWith(".class") || name.endsWith(".jar"));
    }
  }

  @Test
  void theBootClassesLoadOnOlderJvms() throws IOException {
    try (JarFile jar = new JarFile(AgentJvm.JAR.toFile())) {
      List<JarEntry> classes =
          jar.stream().filter(entry -> entry.getName().endsWith(".class")).toList();
      assertThat(classes).isNotEmpty();
      for (JarEntry entry : classes) {
        try (DataInputStream in = new DataInputStream(jar.getInputStream(entry))) {
          in.skipNBytes(6);
          assertThat(in.readUnsignedShort()).as(entry.getName()).isEqualTo(JAVA_11);
        }
      }
    }
  }

  @Test
  void everyTimeInTheFileIsTheSame() throws IOException {
    try (JarFile jar = new JarFile(AgentJvm.JAR.toFile())) {
      assertThat(jar.stream().map(JarEntry::getTimeLocal).distinct()).hasSize(1);
    }
  }

  @Test
  void runByItselfItSaysWhatItIs() {
    AgentJvm.Outcome help = AgentJvm.run(List.of("-jar", AgentJvm.JAR.toString()));
    assertThat(help.status()).isZero();
    assertThat(help.err()).isEmpty();
    assertThat(String.join("\n", help.out())).contains("-javaagent:", "sennit profile PID");
    AgentJvm.Outcome version = AgentJvm.run(List.of("-jar", AgentJvm.JAR.toString(), "--version"));
    assertThat(version.out()).hasSize(1).first().asString().startsWith("sennit-agent ");
    AgentJvm.Outcome wrong = AgentJvm.run(List.of("-jar", AgentJvm.JAR.toString(), "--frob"));
    assertThat(wrong.status()).isEqualTo(2);
    assertThat(wrong.err()).contains("--frob");
  }
}
