/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.configuration;

import dev.sennit.kernel.Cgroup;
import dev.sennit.kernel.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whom the file names, as far as they are there.
 *
 * @param found those that can be observed
 * @param missing a line for each that cannot, with its place in the file
 */
public record Targets(List<Target> found, List<String> missing) {
  private static final String PROCESSES = "cgroup.procs";

  public Targets {
    found = List.copyOf(found);
    missing = List.copyOf(missing);
  }

  /** Looks for them on this host. */
  public static Targets of(Configuration configuration) throws IOException {
    List<Target> found = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (int pid : configuration.get(Keys.PIDS)) {
      if (pid == ProcessHandle.current().pid()) {
        missing.add(configuration.place(Keys.PIDS) + ": " + pid + " is this process itself");
      } else if (isProcess(pid)) {
        found.add(new Target.OfProcess(pid));
      } else {
        missing.add(configuration.place(Keys.PIDS) + ": there is no process " + pid);
      }
    }
    for (String name : configuration.get(Keys.CGROUPS)) {
      try {
        found.add(new Target.OfCgroup(cgroup(name)));
      } catch (NotOneException e) {
        missing.add(configuration.place(Keys.CGROUPS) + ": " + e.getMessage());
      }
    }
    return new Targets(found, missing);
  }

  /** Threads have a folder there, too, though none that is listed. */
  private static boolean isProcess(int pid) {
    try {
      return Files.readAllLines(Path.of("/proc/" + pid + "/status")).contains("Tgid:\t" + pid);
    } catch (IOException e) {
      return false;
    }
  }

  private static Cgroup cgroup(String name) throws IOException, NotOneException {
    Optional<Cgroup> hierarchy = Cgroup.root();
    if (hierarchy.isEmpty()) {
      throw new NotOneException("no cgroup v2 hierarchy is mounted");
    }
    Cgroup root = hierarchy.get();
    Path folder;
    try {
      Path path = Path.of(name);
      folder =
          path.startsWith(root.folder())
              ? path.normalize()
              : root.folder().resolve(name.replaceFirst("^/+", "")).normalize();
    } catch (InvalidPathException e) {
      throw new NotOneException("'" + name + "' is not a path: " + e.getReason());
    }
    if (folder.equals(root.folder()) && root.isRoot()) {
      throw new NotOneException("'" + name + "' is the root cgroup, which is the whole host");
    }
    if (!folder.startsWith(root.folder()) || !Files.isRegularFile(folder.resolve(PROCESSES))) {
      throw new NotOneException(
          "there is no cgroup '" + name + "' in the hierarchy at " + root.folder());
    }
    int below = folder.getNameCount() - root.folder().getNameCount();
    return new Cgroup(folder, root.level() + below);
  }

  /** Says why a name is not that of a cgroup to observe. */
  private static final class NotOneException extends Exception {
    private static final long serialVersionUID = 1;

    NotOneException(String message) {
      super(message);
    }
  }
}
