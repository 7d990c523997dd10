/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Messages that wait on disk, each in a file, up to a bound; beyond it the oldest are dropped. A
 * file has its name only when it is complete, so that whatever moment a process dies at, what the
 * next one finds is whole.
 *
 * <p>Names tell the order: time, number, origin. A message may be given its place before it is
 * known whether it has to wait at all. Not safe for use by several threads.
 */
final class ChunkQueue {
  /** A file takes whole blocks; counting them also bounds the number of files. */
  static final long BLOCK = 4096;

  private final Path parent;
  private final long bound;
  private final Tally tally;

  /** What waits, and what each takes on disk. */
  private final TreeMap<String, Long> waiting = new TreeMap<>();

  private @Nullable InstanceFolder folder;
  private @Nullable String taken;
  private long used;
  private long lastMillis;
  private int number;

  private ChunkQueue(Path parent, long bound, Tally tally) {
    this.parent = parent;
    this.bound = bound;
    this.tally = tally;
  }

  /** A queue of this process below {@code parent}, with what dead processes left there. */
  static ChunkQueue open(Path parent, long bound, Tally tally) throws IOException {
    ChunkQueue queue = new ChunkQueue(parent, bound, tally);
    queue.folder = InstanceFolder.create(parent);
    queue.adopt();
    return queue;
  }

  /** A queue that holds nothing. */
  static ChunkQueue none(Tally tally) {
    return new ChunkQueue(Path.of(""), 0, tally);
  }

  /** Whether messages can wait here at all. */
  boolean isOnDisk() {
    return folder != null;
  }

  /** A name that is later than all that were given out before. */
  String nextName() {
    lastMillis = Math.max(lastMillis, Instant.now().toEpochMilli());
    String origin = folder == null ? "" : folder.path().getFileName().toString();
    return String.format("%013d-%08d-%s%s", lastMillis, number++, origin, InstanceFolder.MESSAGE);
  }

  /** Puts a message at its place in the order, if there is room or older ones make room. */
  void put(String name, byte[] message) {
    long size = sizeOnDisk(message.length);
    if (!makeRoom(name, size)) {
      return;
    }
    try {
      write(name, message);
      waiting.put(name, size);
      used += size;
    } catch (IOException e) {
      tally.drop(DropReason.DISK_ERROR, "a message could not be written to disk: " + e);
    }
  }

  private static long sizeOnDisk(long length) {
    return (length + BLOCK - 1) / BLOCK * BLOCK;
  }

  private boolean makeRoom(String name, long size) {
    while (used + size > bound) {
      tally.drop(DropReason.QUEUE_FULL, "the queue is full at " + bound + " bytes");
      @Nullable String oldest = size > bound ? null : oldestAtRest();
      if (oldest == null || oldest.compareTo(name) > 0) {
        return false;
      }
      remove(oldest);
    }
    return true;
  }

  /** What is being sent is not dropped: it may be with the collector already. */
  private @Nullable String oldestAtRest() {
    for (String name : waiting.keySet()) {
      if (!name.equals(taken)) {
        return name;
      }
    }
    return null;
  }

  private void write(String name, byte[] message) throws IOException {
    Path home = home();
    Path incomplete = home.resolve(name.replace(InstanceFolder.MESSAGE, InstanceFolder.INCOMPLETE));
    try {
      InstanceFolder.createFile(incomplete);
      // Unlike a channel, a stream does not mind a thread that somebody has interrupted.
      try (FileOutputStream out = new FileOutputStream(incomplete.toFile())) {
        out.write(message);
        // Without it a machine that fails may keep the name and lose the content.
        out.getFD().sync();
      }
      Files.move(incomplete, home.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      Files.deleteIfExists(incomplete);
      throw e;
    }
  }

  /** The folder of this process; a new one if somebody has cleaned it away. */
  private Path home() throws IOException {
    if (folder == null) {
      throw new IOException("the queue is closed");
    }
    if (!folder.isIntact()) {
      Path old = folder.path();
      folder = InstanceFolder.create(parent);
      for (String name : waiting.keySet()) {
        try {
          move(old.resolve(name), name);
        } catch (NoSuchFileException e) {
          // Reading it will tell.
        }
      }
    }
    return folder.path();
  }

  private void move(Path file, String name) throws IOException {
    if (folder != null) {
      Files.move(file, folder.path().resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** The name of the oldest message, which stays until it is removed; null if none waits. */
  @Nullable String take() {
    taken = waiting.isEmpty() ? null : waiting.firstKey();
    return taken;
  }

  /** The content of a message; null if its file is gone, which counts as dropped. */
  byte @Nullable [] read(String name) {
    try {
      return Files.readAllBytes(home().resolve(name));
    } catch (IOException e) {
      tally.drop(DropReason.DISK_ERROR, "a message could not be read from disk: " + e);
      remove(name);
      return null;
    }
  }

  void remove(String name) {
    @Nullable Long size = waiting.remove(name);
    if (size == null) {
      return;
    }
    used -= size;
    if (name.equals(taken)) {
      taken = null;
    }
    try {
      Files.deleteIfExists(home().resolve(name));
    } catch (IOException e) {
      tally.note("the file of a message could not be deleted: " + e);
    }
  }

  /** Gives a message the last place, and with it another name. */
  String moveToEnd(String name) {
    @Nullable Long size = waiting.get(name);
    String last = nextName();
    if (size == null) {
      return name;
    }
    try {
      move(home().resolve(name), last);
    } catch (IOException e) {
      tally.note("a message could not be moved to the end of the queue: " + e);
      return name;
    }
    waiting.remove(name);
    waiting.put(last, size);
    return last;
  }

  /** Takes over what dead processes left. */
  void adopt() {
    if (folder == null) {
      return;
    }
    try {
      InstanceFolder.visitAbandoned(parent, this::inherit);
    } catch (IOException e) {
      tally.note("what other processes left in " + parent + " could not be read: " + e);
    }
  }

  private void inherit(Path file) throws IOException {
    String name = file.getFileName().toString();
    long size = sizeOnDisk(Files.size(file));
    if (!makeRoom(name, size)) {
      Files.deleteIfExists(file);
      return;
    }
    move(file, name);
    waiting.put(name, size);
    used += size;
  }

  boolean contains(String name) {
    return waiting.containsKey(name);
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  int size() {
    return waiting.size();
  }

  /** What the messages take on disk. */
  long bytes() {
    return used;
  }

  /** Leaves what waits on disk, for whoever comes next. */
  void close() {
    if (folder == null) {
      return;
    }
    try {
      folder.release();
    } catch (IOException e) {
      tally.note("the folder " + folder.path() + " could not be given up: " + e);
    }
    folder = null;
  }
}
