/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commands run in a cgroup as they would without. */
@Requires(root = true)
class CgroupTest {
  private Cgroup cgroup;

  @BeforeEach
  void create() throws IOException {
    cgroup = Cgroup.root().orElseThrow().create("sennit-test-" + ProcessHandle.current().pid());
  }

  @AfterEach
  void remove() throws IOException {
    cgroup.remove();
  }

  private record Ended(int status, String output) {}

  private Ended run(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(cgroup.command(List.of(command))).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), output);
  }

  @Test
  void argumentsArriveAsTheyAre() throws Exception {
    Ended ended = run("printf", "%s|", "a b", "$HOME", "", "*");
    assertThat(ended).isEqualTo(new Ended(0, "a b|$HOME||*|"));
  }

  @Test
  void aCommandIsInItAndHasNoOtherEnvironment() throws Exception {
    assertThat(run("cat", "/proc/self/cgroup").output())
        .contains("sennit-test-" + ProcessHandle.current().pid());
    assertThat(run("env").output()).doesNotContain("procs=");
  }

  @Test
  void aProgramThatIsNotThereIsNamedAndTheCgroupIsNot() throws Exception {
    Ended ended = run("/no/such/program");
    assertThat(ended.status()).isEqualTo(127);
    assertThat(ended.output()).startsWith("sennit: ").contains("/no/such/program").hasLineCount(1);
    assertThat(ended.output()).doesNotContain("cgroup.procs");
  }

  /** It takes hundreds of milliseconds to take so much memory back. */
  @Test
  @Requires(commands = "python3")
  void itIsRemovedAlthoughAProcessIsStillDying() throws Exception {
    String program =
        """
        import time
        memory = bytearray(800 << 20)
        for i in range(0, len(memory), 4096):
            memory[i] = 1
        print("ready", flush=True)
        time.sleep(600)
        """;
    try (ChildProcess child =
        ChildProcess.start(cgroup.command(List.of("python3", "-c", program)))) {
      child.expect("ready");
      ProcessHandle.of(child.pid()).orElseThrow().destroyForcibly();
      while (!cgroup.processes().isEmpty()) {
        Thread.onSpinWait();
      }
      cgroup.remove();
      assertThat(cgroup.folder()).doesNotExist();
    }
  }

  @Test
  void aProcessThatLivesKeepsIt() throws Exception {
    try (ChildProcess child = ChildProcess.start(cgroup.command(List.of("cat")))) {
      while (!cgroup.processes().contains(child.pid())) {
        Thread.onSpinWait();
      }
      assertThatThrownBy(cgroup::remove).isInstanceOf(FileSystemException.class);
    }
    while (!cgroup.processes().isEmpty()) {
      Thread.onSpinWait();
    }
  }
}
