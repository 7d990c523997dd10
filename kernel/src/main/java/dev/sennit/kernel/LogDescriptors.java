/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import dev.sennit.kernel.libbpf.BpfMap;
import dev.sennit.kernel.ring.EventKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells the programs which descriptors of a process are logs that were open before they could see
 * it: those of a process that was there first, and those that it was born with. Looked at when a
 * process is first heard of, when it begins to serve or to call, and no more than once for each.
 */
final class LogDescriptors {
  private static final int MOST = 8192;
  private static final int BY_TRACER = 12;
  private static final String FOLDER = "/var/log/";
  private static final String SUFFIX = ".log";

  private final BpfMap descriptors;
  private final List<LogPattern> patterns;

  /** By process, the descriptors that were told. */
  private final Map<Integer, List<Integer>> told =
      new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, List<Integer>> eldest) {
          if (size() > MOST) {
            unregister(eldest.getKey(), eldest.getValue());
            return true;
          }
          return false;
        }
      };

  LogDescriptors(BpfMap descriptors, BpfMap patternMap, List<LogPattern> patterns) {
    this.descriptors = descriptors;
    this.patterns = patterns;
    for (int i = 0; i < patterns.size(); i++) {
      patternMap.put(MapBytes.of(i), patterns.get(i).bytes());
    }
  }

  synchronized void onEvent(EventKind kind, int pid) {
    switch (kind) {
      case ACCEPT, CONNECT -> look(pid);
      case EXEC, EXIT -> forget(pid);
      default -> {}
    }
  }

  /** Looks again at processes that may have opened and closed files unseen. */
  synchronized void renew(List<Integer> pids) {
    told.forEach(this::unregister);
    told.clear();
    pids.forEach(this::look);
  }

  private void look(int pid) {
    if (told.containsKey(pid)) {
      return;
    }
    List<Integer> logs = logsOf(pid);
    told.put(pid, logs);
    byte[] owner = new byte[descriptors.valueSize()];
    owner[BY_TRACER] = 1;
    logs.forEach(fd -> descriptors.put(key(pid, fd), owner));
  }

  private void forget(int pid) {
    List<Integer> logs = told.remove(pid);
    if (logs != null) {
      unregister(pid, logs);
    }
  }

  private void unregister(int pid, List<Integer> logs) {
    logs.forEach(fd -> descriptors.remove(key(pid, fd)));
  }

  /** As {@code struct log_key} has it. */
  private static byte[] key(int pid, int fd) {
    ByteBuffer key = ByteBuffer.allocate(2 * Integer.BYTES).order(ByteOrder.nativeOrder());
    return key.putInt(pid).putInt(fd).array();
  }

  private List<Integer> logsOf(int pid) {
    List<Integer> logs = new ArrayList<>();
    try (DirectoryStream<Path> folder = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
      for (Path descriptor : folder) {
        if (isLog(descriptor)) {
          logs.add(Integer.valueOf(descriptor.getFileName().toString()));
        }
      }
    } catch (IOException e) {
      // It is gone, or not ours to look at.
    }
    return List.copyOf(logs);
  }

  private boolean isLog(Path descriptor) {
    try {
      String path = Files.readSymbolicLink(descriptor).toString();
      return path.startsWith("/")
          && (path.startsWith(FOLDER)
              || path.endsWith(SUFFIX)
              || patterns.stream().anyMatch(each -> each.matches(path)));
    } catch (IOException closed) {
      return false;
    }
  }
}
