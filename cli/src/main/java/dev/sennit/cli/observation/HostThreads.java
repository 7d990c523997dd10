/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.correlation.engine.ThreadNames;
import dev.sennit.correlation.record.NativeName;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The names of the threads of this host. A process is gone through when a name is asked for that it
 * was not seen to have, but not again and again; that a thread still has its name is looked at each
 * time.
 */
final class HostThreads implements ThreadNames {
  private static final int MOST_PROCESSES = 1024;
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

  private static final class Known {
    Map<NativeName, Integer> tids = new HashMap<>();
    long lookedAt = System.nanoTime() - PAUSE;
  }

  private final Map<Integer, Known> processes =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Known> eldest) {
          return size() > MOST_PROCESSES;
        }
      };

  @Override
  public int tidOf(int pid, NativeName name) {
    Known known = processes.computeIfAbsent(pid, _ -> new Known());
    Integer tid = known.tids.get(name);
    if (tid == null && System.nanoTime() - known.lookedAt >= PAUSE) {
      known.tids = tidsByName(pid);
      known.lookedAt = System.nanoTime();
      tid = known.tids.get(name);
    }
    if (tid == null) {
      return NONE;
    }
    if (tid != SEVERAL && !name.equals(name(task(pid).resolve(tid.toString())))) {
      known.tids.remove(name);
      return NONE;
    }
    return tid;
  }

  private static Path task(int pid) {
    return Path.of("/proc/" + pid + "/task");
  }

  private static Map<NativeName, Integer> tidsByName(int pid) {
    Map<NativeName, Integer> tids = new HashMap<>();
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(task(pid))) {
      for (Path thread : threads) {
        NativeName name = name(thread);
        if (name != null) {
          tids.merge(
              name, Integer.valueOf(thread.getFileName().toString()), (first, other) -> SEVERAL);
        }
      }
    } catch (IOException e) {
      // The process is gone.
    }
    return tids;
  }

  private static @Nullable NativeName name(Path thread) {
    try {
      byte[] line = Files.readAllBytes(thread.resolve("comm"));
      return NativeName.of(Arrays.copyOf(line, Math.max(0, line.length - 1)));
    } catch (IOException e) {
      return null;
    }
  }
}
