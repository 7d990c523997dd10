/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.tail;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A followed name, and the files that were under it and are not read to their end: the oldest
 * first, the one that has the name now at last.
 */
final class Followed implements AutoCloseable {
  /** How many files that are done with are kept in mind. */
  private static final int MOST_FINISHED = 64;

  /** With more than this to read, none is waited for. */
  private static final int MANY = 16;

  private static final int TRIES = 3;

  private final Path path;
  private final ArrayDeque<Generation> generations = new ArrayDeque<>();
  private final ArrayDeque<Position> finished = new ArrayDeque<>();
  private @Nullable Generation current;

  /** What was last seen under the name; if that is still so, nothing has happened. */
  private FileId.@Nullable Status seen;

  /**
   * Whether too little was known of the current file when it was last looked for those before it.
   * Nothing of it is given until that was done once more, for it may have been emptied in between.
   */
  private boolean unsettled = true;

  /** When the newest file was changed that had the name before: what is newer came after it. */
  private long anchor;

  /**
   * Follows a name.
   *
   * @param anchor files of its rotation that were not changed since are not read
   */
  Followed(Path path, long anchor) {
    this.path = path;
    this.anchor = anchor;
  }

  Path path() {
    return path;
  }

  boolean isIdle() {
    return generations.isEmpty();
  }

  /** Begins with the file that is there, at its end. */
  void beginAtEnd(long now, Predicate<FileId> taken) throws IOException {
    look(now, taken);
    Generation file = current;
    if (file != null) {
      file.seekEnd();
    }
  }

  /** Finds what was read before again, under whatever name it has now. */
  void restore(Position position, long now) {
    if (position.finished()) {
      finish(position);
      return;
    }
    // It may get another name just between being found and being opened.
    for (int i = 0; i < TRIES; i++) {
      if (resume(position, now)) {
        return;
      }
    }
    if (position.offset() > 0) {
      copyOf(position, now);
    }
  }

  private boolean resume(Position position, long now) {
    FileId.@Nullable Status status = FileId.status(path);
    boolean stays = status != null && status.id().equals(position.id());
    Rotated.@Nullable Sibling found =
        stays && status != null
            ? new Rotated.Sibling(path, status)
            : Rotated.find(path, position.id());
    @Nullable Generation old = found == null ? null : reopen(found, position);
    if (found == null || old == null) {
      return false;
    }
    generations.addLast(old);
    if (stays) {
      current = old;
    } else {
      old.leave(now);
      anchor = found.status().modified();
    }
    return true;
  }

  /** Sets what came before, when all is restored: what is newer than that was not seen yet. */
  void restored() {
    for (Rotated.Sibling sibling : Rotated.of(path)) {
      for (Position position : positions()) {
        if (position.id().equals(sibling.status().id())) {
          anchor = sibling.status().modified();
        }
      }
    }
  }

  private static @Nullable Generation reopen(Rotated.Sibling file, Position position) {
    return file.status().size() < position.offset()
        ? null
        : Generation.open(file.path(), position.id(), position);
  }

  /**
   * Looks at what is under the name now.
   *
   * @param taken whether a file is followed under another name
   */
  void look(long now, Predicate<FileId> taken) throws IOException {
    FileId.@Nullable Status status = FileId.status(path);
    Generation before = current;
    if (status != null && before != null && before.id.equals(status.id())) {
      if (!status.equals(seen) || unsettled) {
        seen = status;
        changed(before, status, now, taken);
      }
      return;
    }
    seen = null;
    if (before != null) {
      before.leave(now);
      current = null;
      Rotated.@Nullable Sibling moved = Rotated.find(path, before.id);
      if (moved != null) {
        anchor = moved.status().modified();
      }
    }
    if (status != null && !taken.test(status.id())) {
      addSuccessors(now, taken);
      unsettled = true;
      current = Generation.open(path, status.id(), Position.beginning(path, status.id()));
      if (current != null) {
        generations.addLast(current);
      }
    }
  }

  private void changed(Generation file, FileId.Status status, long now, Predicate<FileId> taken)
      throws IOException {
    if (file.isReplaced()) {
      emptied(file, now, taken);
    } else if (status.size() > 0 && (unsettled || file.isFresh())) {
      addSuccessors(now, taken);
      unsettled = file.isFresh();
    }
  }

  /** The file was emptied; what was not read of it may be in a copy that was made before. */
  private void emptied(Generation file, long now, Predicate<FileId> taken) {
    Position position = file.position(path);
    boolean untouched = file.isUntouched();
    file.restart();
    unsettled = true;
    if (!untouched) {
      copyOf(position, now);
    }
    addSuccessors(now, taken);
  }

  /** Puts a file that has left its name before the one that has it now. */
  private void addLeft(Generation file, long modified, long now) {
    file.leave(now);
    Generation last = current;
    if (last != null) {
      generations.removeLast();
    }
    generations.addLast(file);
    if (last != null) {
      generations.addLast(last);
    }
    anchor = modified;
  }

  private void copyOf(Position position, long now) {
    if (!position.fingerprint().isTelling()) {
      return;
    }
    for (Rotated.Sibling sibling : Rotated.of(path).reversed()) {
      FileId id = sibling.status().id();
      if (sibling.status().size() >= position.offset() && !id.equals(position.id()) && !has(id)) {
        @Nullable Generation copy = Generation.open(sibling.path(), id, position.in(id));
        if (copy != null) {
          addLeft(copy, sibling.status().modified(), now);
          return;
        }
      }
    }
  }

  /** Files that had the name, or are copies, and came and went since it was last looked. */
  private void addSuccessors(long now, Predicate<FileId> taken) {
    for (Rotated.Sibling sibling : Rotated.of(path)) {
      FileId id = sibling.status().id();
      if (sibling.status().modified() >= anchor
          && !has(id)
          && !taken.test(id)
          && !isCopy(sibling.path())) {
        @Nullable Generation file =
            Generation.open(sibling.path(), id, Position.beginning(path, id));
        if (file == null) {
          return; // it has another name by now, and is found at the next look
        }
        addLeft(file, sibling.status().modified(), now);
      }
    }
  }

  /**
   * Whether it begins like one that was read already, or is going to be: then it is a copy, perhaps
   * one that is still being made.
   */
  boolean isCopy(Path sibling) {
    try (FileChannel file = FileChannel.open(sibling, StandardOpenOption.READ)) {
      Fingerprint beginning = Fingerprint.of(file);
      if (beginning.length() == 0) {
        return true;
      }
      for (Position position : positions()) {
        if (position.fingerprint().isTelling() && position.fingerprint().fits(file)) {
          return true;
        }
      }
      try (FileChannel now = FileChannel.open(path, StandardOpenOption.READ)) {
        return beginning.fits(now);
      } catch (NoSuchFileException e) {
        return false;
      }
    } catch (IOException e) {
      return true;
    }
  }

  /** Whether this file is one of those under this name, of before or of now. */
  boolean has(FileId id) {
    for (Generation generation : generations) {
      if (generation.id.equals(id)) {
        return true;
      }
    }
    for (Position position : finished) {
      if (position.id().equals(id) && isStill(position)) {
        return true;
      }
    }
    return false;
  }

  private boolean isStill(Position position) {
    Rotated.@Nullable Sibling sibling = Rotated.find(path, position.id());
    if (sibling == null) {
      return false;
    }
    try (FileChannel file = FileChannel.open(sibling.path(), StandardOpenOption.READ)) {
      return position.fingerprint().fits(file);
    } catch (IOException e) {
      return false;
    }
  }

  /** Gives lines to the sink, of the oldest file first. True if there is more to read at once. */
  boolean read(byte[] buffer, TailSettings settings, LineSink sink, long now) throws IOException {
    Iterator<Generation> all = generations.iterator();
    while (all.hasNext()) {
      Generation file = all.next();
      if (file == current && file.isFresh() && file.learn()) {
        unsettled = true;
        return true;
      }
      boolean over =
          file != current
              && (generations.size() > MANY
                  || file.isLeftSince(settings.patience().toNanos(), now));
      if (file.read(path, buffer, settings.longestLine(), sink, over)) {
        return true;
      }
      if (over) {
        finish(file.position(path).finish());
        file.close();
        all.remove();
      }
    }
    return false;
  }

  private void finish(Position position) {
    if (finished.size() == MOST_FINISHED) {
      finished.removeFirst();
    }
    finished.addLast(position);
  }

  List<Position> positions() {
    List<Position> positions = new ArrayList<>(finished);
    for (Generation generation : generations) {
      positions.add(generation.position(path));
    }
    return positions;
  }

  @Override
  public void close() {
    generations.forEach(Generation::close);
    generations.clear();
  }
}
