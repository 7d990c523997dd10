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
 * The names of the threads of this host: as the kernel tells them, so that it is known who was
 * called so when a line was written, although the thread may have ended since. A process is gone
 * through when a name is asked for that nobody has told, for it may have threads from before that
 * was told; but not again and again.
 */
final class HostThreads implements ThreadNames {
  private static final int MOST_PROCESSES = 1024;
  private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

  private static final class Known {
    final NamesInProcess names = new NamesInProcess();
    long lookedAt = System.nanoTime() - PAUSE;
  }

  private final Map<Integer, Known> processes =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Known> eldest) {
          return size() > MOST_PROCESSES;
        }
      };

  /**
   * A thread has got a name, or it has ended.
   *
   * @param name {@link NativeName#NONE} of one that has ended
   * @param time in nanoseconds since 1970
   */
  void named(int pid, int tid, NativeName name, long time) {
    known(pid).names.named(tid, name, time);
  }

  void processEnded(int pid) {
    processes.remove(pid);
  }

  @Override
  public int tidOf(int pid, NativeName name, long time) {
    Known known = known(pid);
    int tid = known.names.tidOf(name, time);
    if (tid == NONE && System.nanoTime() - known.lookedAt >= PAUSE) {
      namesNow(pid).forEach(known.names::has);
      known.lookedAt = System.nanoTime();
      tid = known.names.tidOf(name, time);
    }
    return tid;
  }

  private Known known(int pid) {
    return processes.computeIfAbsent(pid, _ -> new Known());
  }

  private static Map<Integer, NativeName> namesNow(int pid) {
    Map<Integer, NativeName> names = new HashMap<>();
    try (DirectoryStream<Path> threads =
        Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
      for (Path thread : threads) {
        NativeName name = name(thread);
        if (name != null) {
          names.put(Integer.valueOf(thread.getFileName().toString()), name);
        }
      }
    } catch (IOException e) {
      // The process is gone.
    }
    return names;
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
