/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whom the programs observe. Nobody else is looked at. */
public sealed interface Target {
  /** What lives in a cgroup or below it. */
  record OfCgroup(Cgroup cgroup) implements Target {
    public OfCgroup {
      if (cgroup.isRoot()) {
        throw new IllegalArgumentException("the root cgroup is the whole host");
      }
    }

    @Override
    public boolean includes(int pid) {
      try {
        return Cgroup.of(pid).filter(its -> its.folder().startsWith(cgroup.folder())).isPresent();
      } catch (IOException gone) {
        return false;
      }
    }
  }

  /** A process and the children it starts from now on. */
  record OfProcess(int pid) implements Target {
    @Override
    public boolean includes(int other) {
      Optional<ProcessHandle> process = ProcessHandle.of(other);
      while (process.isPresent() && process.get().pid() != pid) {
        process = process.get().parent();
      }
      return process.isPresent();
    }
  }

  /** Whether a process is one of these, or a descendant of one. */
  boolean includes(int pid);

  /** The processes of all of them that run now, as far as they can be read. */
  static List<Integer> processes(List<Target> targets) {
    List<Integer> pids = new ArrayList<>();
    for (Target target : targets) {
      switch (target) {
        case OfCgroup(Cgroup cgroup) -> {
          try {
            pids.addAll(cgroup.processesBelow());
          } catch (IOException gone) {
            // Then it has no processes, either.
          }
        }
        case OfProcess(int pid) -> pids.add(pid);
      }
    }
    return pids;
  }
}
