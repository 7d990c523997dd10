/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import dev.sennit.context.reader.ExportedFunctions;
import dev.sennit.context.reader.ExportedFunctions.Exporter;
import dev.sennit.kernel.libbpf.BpfException;
import dev.sennit.kernel.libbpf.BpfMap;
import dev.sennit.kernel.libbpf.BpfObject;
import dev.sennit.kernel.ring.EventKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds the files that export OpenSSL's functions in the observed processes and attaches the
 * programs of {@code tls.h} to each once. A process that starts may load its library later, so it
 * is looked at again after a while, and when it opens connections.
 *
 * <p>The kernel stops at these functions in every process that uses such a file; the programs look
 * at the observed ones only.
 */
final class TlsAttachments {
  /** Of all programs, those whose names begin so are attached here. */
  static final String PREFIX = "tls_";

  private static final String AT_RETURN = "tls_return";

  /** Program by function, the one first by which a file is known. */
  private static final Map<String, String> PROGRAMS = new LinkedHashMap<>();

  static {
    PROGRAMS.put("SSL_read", "tls_read");
    PROGRAMS.put("SSL_write", "tls_write");
    PROGRAMS.put("SSL_read_ex", "tls_read_ex");
    PROGRAMS.put("SSL_write_ex", "tls_write_ex");
    PROGRAMS.put("SSL_do_handshake", "tls_handshake");
    PROGRAMS.put("SSL_set_fd", "tls_set_fd");
    PROGRAMS.put("SSL_set_rfd", "tls_set_fd");
    PROGRAMS.put("SSL_set_wfd", "tls_set_fd");
    PROGRAMS.put("SSL_free", "tls_free");
  }

  private static final List<String> MOVING =
      List.of("SSL_read", "SSL_write", "SSL_read_ex", "SSL_write_ex", "SSL_do_handshake");

  private static final int MOST_ATTACHED = 64;
  private static final int MOST_KNOWN = 8192;
  private static final int MOST_WAITING = 1024;

  /** After a start, when libraries may have been loaded. */
  private static final List<Long> LOOKS = List.of(0L, 20L, 100L, 500L, 2000L);

  private static final long SHORTEST_PAUSE = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_PAUSE = TimeUnit.MINUTES.toNanos(1);

  private static final List<Path> UPROBES =
      List.of(
          Path.of("/sys/bus/event_source/devices/uprobe"),
          Path.of("/sys/kernel/tracing/uprobe_events"));

  /** When a process may be looked at again. */
  private record Next(long time, long pause) {}

  private final BpfObject object;
  private final BpfMap threads;
  private final boolean supported = isSupported();

  /** Device and inode number of files that were looked at. */
  private final Set<Object> known = new HashSet<>();

  private final Set<Object> attached = new HashSet<>();
  private final Map<Integer, Next> processes = new ConcurrentHashMap<>();
  private volatile @Nullable ScheduledThreadPoolExecutor executor;
  private @Nullable String failure;

  TlsAttachments(BpfObject object) {
    this.object = object;
    threads = object.map("tls_threads");
  }

  /** Whether this kernel can stop at functions. */
  static boolean isSupported() {
    return UPROBES.stream().anyMatch(Files::exists);
  }

  /** Begins with the processes that are there. */
  synchronized void start(List<Integer> pids) {
    if (!supported) {
      return;
    }
    // A function that returned unseen would be taken for one that goes on.
    threads.keys(MOST_KNOWN).forEach(threads::remove);
    ScheduledThreadPoolExecutor looking =
        new ScheduledThreadPoolExecutor(
            1, task -> Thread.ofPlatform().name("sennit-kernel-tls").daemon().unstarted(task));
    looking.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    executor = looking;
    look(pids);
  }

  /** Looks at processes that came unseen. */
  void look(List<Integer> pids) {
    pids.forEach(pid -> look(pid, 0));
  }

  /** Attaches nothing more; what is attached is the object's to detach, before or afterwards. */
  synchronized void stop() {
    @Nullable ScheduledThreadPoolExecutor looking = executor;
    if (looking == null) {
      return;
    }
    looking.shutdownNow();
    executor = null;
    known.clear();
    processes.clear();
    attached.clear();
  }

  /** What may mean that a process has other files than before. */
  void onEvent(EventKind kind, int pid) {
    switch (kind) {
      case EXEC -> LOOKS.forEach(delay -> look(pid, delay));
      case ACCEPT, CONNECT -> lookAgain(pid);
      case EXIT -> processes.remove(pid);
      default -> {}
    }
  }

  private void lookAgain(int pid) {
    long now = System.nanoTime();
    @Nullable Next next = processes.get(pid);
    if (next == null ? processes.size() >= MOST_KNOWN : now - next.time < 0) {
      return;
    }
    long pause = next == null ? SHORTEST_PAUSE : Math.min(2 * next.pause, LONGEST_PAUSE);
    processes.put(pid, new Next(now + pause, pause));
    look(pid, 0);
  }

  /** Without a lock, for events do not wait until something is attached. */
  private void look(int pid, long delay) {
    @Nullable ScheduledThreadPoolExecutor looking = executor;
    if (looking == null || looking.getQueue().size() >= MOST_WAITING) {
      return;
    }
    try {
      var _ = looking.schedule(() -> lookNow(pid), delay, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException stopped) {
      // The tracer has been switched off meanwhile.
    }
  }

  private void lookNow(int pid) {
    Map<Path, Object> files = new HashMap<>();
    try {
      List<Exporter> exporters =
          ExportedFunctions.find(pid, List.copyOf(PROGRAMS.keySet()), file -> isNew(file, files));
      exporters.forEach(this::attach);
      remember(files);
    } catch (IOException gone) {
      // Processes end at any time.
    }
  }

  private synchronized boolean isNew(Path file, Map<Path, Object> files) {
    @Nullable Object key = keyOf(file);
    if (key == null || known.contains(key)) {
      return false;
    }
    files.put(file, key);
    return true;
  }

  /** Those that the process has still mapped as before: others may not have been read in full. */
  private synchronized void remember(Map<Path, Object> files) {
    files.forEach(
        (file, key) -> {
          if (key.equals(keyOf(file)) && known.size() < MOST_KNOWN) {
            known.add(key);
          }
        });
  }

  private static @Nullable Object keyOf(Path file) {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    } catch (IOException gone) {
      return null;
    }
  }

  /**
   * First what runs when functions return: one that was seen to begin must be seen to return.
   * Between the search and this the tracer may have been switched off.
   */
  private synchronized void attach(Exporter exporter) {
    @Nullable Object key = keyOf(exporter.file());
    if (executor == null || key == null || attached.size() >= MOST_ATTACHED || !attached.add(key)) {
      return;
    }
    String file = exporter.file().toString();
    try {
      for (String function : MOVING) {
        @Nullable Long offset = exporter.offsets().get(function);
        if (offset != null) {
          object.attachToFunction(AT_RETURN, true, -1, file, offset);
        }
      }
      exporter
          .offsets()
          .forEach(
              (function, offset) ->
                  object.attachToFunction(
                      PROGRAMS.getOrDefault(function, AT_RETURN), false, -1, file, offset));
    } catch (BpfException e) {
      failure = exporter.name() + ": " + e.getMessage();
    }
  }

  /** In a clause, what is seen of TLS. */
  synchronized String describe() {
    if (!supported) {
      return "this kernel has no uprobes, so what goes through TLS is not seen";
    }
    return failure == null
        ? "TLS is seen in " + attached.size() + (attached.size() == 1 ? " file" : " files")
        : "TLS is not seen everywhere: " + failure;
  }
}
