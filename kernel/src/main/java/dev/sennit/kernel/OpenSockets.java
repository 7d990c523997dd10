/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import dev.sennit.kernel.ring.Way;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The TCP connections that a process has, by the inodes of their sockets, from {@code /proc}. */
final class OpenSockets {
  private static final String PREFIX = "socket:[";
  private static final String ESTABLISHED = "01";
  private static final String LISTENING = "0A";

  /** The columns of {@code /proc/PID/net/tcp}. */
  private static final int LOCAL = 1;

  private static final int STATE = 3;
  private static final int INODE = 9;

  private OpenSockets() {}

  /** Who opened each connection: a process that listens on a port did not open those to it. */
  static Map<Long, Way> of(int pid) throws IOException {
    Set<Long> own = inodes(pid);
    Set<String> ports = new HashSet<>();
    Map<Long, String> connections = new HashMap<>();
    for (String table : List.of("tcp", "tcp6")) {
      Path file = Path.of("/proc/" + pid + "/net/" + table);
      if (!Files.exists(file)) {
        continue;
      }
      for (String line : Files.readAllLines(file)) {
        String[] columns = line.strip().split("\\s+");
        if (columns.length <= INODE || columns[0].equals("sl")) {
          continue;
        }
        String port = columns[LOCAL].substring(columns[LOCAL].lastIndexOf(':') + 1);
        if (columns[STATE].equals(LISTENING)) {
          ports.add(port);
        } else if (columns[STATE].equals(ESTABLISHED)) {
          connections.put(Long.valueOf(columns[INODE]), port);
        }
      }
    }
    connections.keySet().retainAll(own);
    Map<Long, Way> ways = new HashMap<>();
    connections.forEach(
        (inode, port) -> ways.put(inode, ports.contains(port) ? Way.INBOUND : Way.OUTBOUND));
    return ways;
  }

  private static Set<Long> inodes(int pid) throws IOException {
    Set<Long> inodes = new HashSet<>();
    try (DirectoryStream<Path> descriptors =
        Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
      for (Path descriptor : descriptors) {
        String target = target(descriptor);
        if (target.startsWith(PREFIX)) {
          inodes.add(Long.valueOf(target.substring(PREFIX.length(), target.length() - 1)));
        }
      }
    }
    return inodes;
  }

  /** A descriptor may be closed while we look. */
  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException gone) {
      return "";
    }
  }
}
