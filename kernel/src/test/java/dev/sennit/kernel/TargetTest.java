/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class TargetTest {
  private final int self = Math.toIntExact(ProcessHandle.current().pid());

  @Test
  @Requires
  void aProcessIncludesItsChildren() {
    try (ChildProcess child = ChildProcess.start(List.of("sleep", "60"))) {
      assertThat(new Target.OfProcess(self).includes(self)).isTrue();
      assertThat(new Target.OfProcess(self).includes(child.pid())).isTrue();
      assertThat(new Target.OfProcess(child.pid()).includes(self)).isFalse();
    }
    assertThat(new Target.OfProcess(self).includes(Integer.MAX_VALUE)).isFalse();
  }

  @Test
  @Requires(root = true)
  void aCgroupIncludesWhatIsBelowIt() throws IOException {
    Cgroup outer = Cgroup.root().orElseThrow().create("sennit-test-" + self + "-outer");
    Cgroup inner = outer.create("inner");
    try (ChildProcess child = ChildProcess.start(inner.command(List.of("cat")))) {
      child.send("ready");
      child.expect("ready");
      assertThat(new Target.OfCgroup(outer).includes(child.pid())).isTrue();
      assertThat(new Target.OfCgroup(inner).includes(child.pid())).isTrue();
      assertThat(new Target.OfCgroup(outer).includes(self)).isFalse();
      Cgroup beside = new Cgroup(Path.of(outer.folder() + "-beside"), outer.level());
      assertThat(new Target.OfCgroup(beside).includes(child.pid())).isFalse();
    } finally {
      inner.remove();
      outer.remove();
    }
  }
}
