/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.kernel.Cgroup;
import dev.sennit.kernel.Target;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whom a file names on this host. */
@Requires
class TargetsTest {
  private static final String PIDS = "f.yaml:1: targets.pids: ";
  private static final String CGROUPS = "f.yaml:1: targets.cgroups: ";

  @Test
  void aProcessIsOneThatRuns() throws Exception {
    try (ChildProcess child = ChildProcess.start(List.of("cat"))) {
      assertThat(pids(child.pid()).found()).containsExactly(new Target.OfProcess(child.pid()));
      assertThat(pids(4_194_304).missing()).containsExactly(PIDS + "there is no process 4194304");
    }
    int self = (int) ProcessHandle.current().pid();
    assertThat(pids(self).missing()).containsExactly(PIDS + self + " is this process itself");
    int thread = thread(self);
    assertThat(pids(thread).missing()).containsExactly(PIDS + "there is no process " + thread);
  }

  @Test
  @Requires(root = true)
  void aCgroupIsNamedByEitherPath() throws Exception {
    Cgroup root = Cgroup.root().orElseThrow();
    Cgroup made = root.create("sennit-targets-" + ProcessHandle.current().pid());
    try {
      Target wanted = new Target.OfCgroup(made);
      String name = made.folder().getFileName().toString();
      for (String path : List.of(name, "/" + name, made.folder().toString(), name + "/./")) {
        assertThat(cgroups(path).found()).as(path).containsExactly(wanted);
      }
      assertThat(cgroups("/" + name + "/inner").missing())
          .containsExactly(
              CGROUPS
                  + "there is no cgroup '/"
                  + name
                  + "/inner' in the hierarchy at "
                  + root.folder());
    } finally {
      made.remove();
    }
  }

  @Test
  @Requires(root = true)
  void theWholeHostIsNeverMeant() throws Exception {
    String mount = Cgroup.root().orElseThrow().folder().toString();
    for (String path : List.of("/", "//", "/.", mount, mount + "/", "x/..")) {
      assertThat(cgroups(path).missing())
          .containsExactly(CGROUPS + "'" + path + "' is the root cgroup, which is the whole host");
    }
    assertThat(cgroups("../../etc").missing()).hasSize(1);
    assertThat(cgroups("../../etc").found()).isEmpty();
  }

  private static int thread(int pid) throws IOException {
    try (var tasks = Files.list(Path.of("/proc/" + pid + "/task"))) {
      return tasks
          .map(task -> Integer.parseInt(task.getFileName().toString()))
          .filter(task -> task != pid)
          .findFirst()
          .orElseThrow();
    }
  }

  private static Targets pids(int pid) throws Exception {
    return Targets.of(ConfigurationReader.read("f.yaml", "targets: {pids: [" + pid + "]}"));
  }

  private static Targets cgroups(String path) throws Exception {
    return Targets.of(ConfigurationReader.read("f.yaml", "targets: {cgroups: ['" + path + "']}"));
  }
}
