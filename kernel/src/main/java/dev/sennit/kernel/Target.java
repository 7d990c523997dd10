/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

/** Whom the programs observe. Nobody else is looked at. */
public sealed interface Target {
  /** What lives in a cgroup or below it. */
  record OfCgroup(Cgroup cgroup) implements Target {
    public OfCgroup {
      if (cgroup.isRoot()) {
        throw new IllegalArgumentException("the root cgroup is the whole host");
      }
    }
  }

  /** A process and the children it starts from now on. */
  record OfProcess(int pid) implements Target {}
}
