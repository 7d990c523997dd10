/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.tail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Follows log files: those that are there and those that come, over renaming, emptying, deletion
 * and restarts. It has no thread of its own and belongs to the one that calls it. A line is given
 * once if its taking is acknowledged; what was given and not acknowledged is given again after a
 * restart.
 */
public final class FileTails implements AutoCloseable {
  private final TailSettings settings;
  private final Positions positions;
  private final List<PathPattern> patterns;
  private final NavigableMap<Path, Followed> followed = new TreeMap<>();
  private final byte[] buffer;
  private Path last = Path.of("");
  private long anchor;
  private long searched;
  private boolean first = true;
  private int leftAlone;

  private FileTails(TailSettings settings, Path positions) {
    this.settings = settings;
    this.positions = new Positions(positions);
    patterns = settings.files().stream().map(PathPattern::of).toList();
    buffer = new byte[Math.max(settings.bytesPerRound(), settings.longestLine() + 1)];
  }

  /**
   * Begins where it was left.
   *
   * @param positions the file that says where that was; it need not be there yet
   * @throws IOException if that file cannot be read, or is something else
   */
  public static FileTails open(TailSettings settings, Path positions) throws IOException {
    FileTails tails = new FileTails(settings, positions);
    tails.restore(positions);
    tails.search(System.nanoTime(), true);
    // Where it begins is known from now on, also if nothing is taken before it ends.
    tails.acknowledge();
    return tails;
  }

  private void restore(Path file) throws IOException {
    long now = System.nanoTime();
    @Nullable List<Position> known = positions.read();
    if (known == null) {
      anchor = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
      return;
    }
    first = false;
    anchor = Files.getLastModifiedTime(file).to(TimeUnit.NANOSECONDS);
    for (Position position : known) {
      followed
          .computeIfAbsent(position.path(), path -> new Followed(path, anchor))
          .restore(position, now);
    }
    followed.values().forEach(Followed::restored);
  }

  /**
   * Gives the lines that were written since to the sink, a bounded number of each file. The files
   * take turns: the next call begins behind the one that was read last.
   *
   * @param enough whether to leave the other files for the next call; one is read in any case
   * @return whether there is more to read at once
   * @throws IOException naming the file that cannot be read; the others are read at the next call
   */
  public boolean poll(LineSink sink, BooleanSupplier enough) throws IOException {
    long now = System.nanoTime();
    if (now - searched >= settings.search().toNanos()) {
      search(now, false);
    }
    List<Followed> turns = new ArrayList<>(followed.tailMap(last, false).values());
    turns.addAll(followed.headMap(last, true).values());
    boolean more = false;
    for (int i = 0; i < turns.size(); i++) {
      if (i > 0 && enough.getAsBoolean()) {
        return true;
      }
      Followed one = turns.get(i);
      last = one.path();
      try {
        one.look(now, id -> isTaken(one, id));
        more |= one.read(buffer, settings, sink, now);
      } catch (IOException e) {
        throw new IOException("cannot read " + one.path() + ": " + e.getMessage(), e);
      }
    }
    return more;
  }

  private boolean isTaken(Followed by, FileId id) {
    for (Followed one : followed.values()) {
      if (!one.path().equals(by.path()) && one.has(id)) {
        return true;
      }
    }
    return false;
  }

  /** Says that the lines of all calls so far were taken, and keeps that on disk. */
  public void acknowledge() throws IOException {
    List<Position> all = new ArrayList<>();
    for (Followed one : followed.values()) {
      all.addAll(one.positions());
    }
    positions.write(all);
  }

  /** How many files are not followed because there are too many. */
  public int leftAlone() {
    return leftAlone;
  }

  private void search(long now, boolean opening) throws IOException {
    searched = now;
    TreeSet<Path> found = new TreeSet<>();
    patterns.forEach(pattern -> found.addAll(pattern.expand()));
    followed
        .values()
        .removeIf(one -> one.isIdle() && !found.contains(one.path()) && !Files.exists(one.path()));
    leftAlone = 0;
    for (Path path : found) {
      if (!followed.containsKey(path)) {
        follow(path, now, opening);
      }
    }
    first = false;
  }

  private void follow(Path path, long now, boolean opening) throws IOException {
    FileId.@Nullable Status status = FileId.status(path);
    // A name with an end of line in it would break the file of positions.
    if (status == null || path.toString().indexOf('\n') >= 0) {
      return;
    }
    for (Followed one : followed.values()) {
      if (one.has(status.id())
          || (!first && Rotated.isNameOf(path, one.path()) && one.isCopy(path))) {
        return;
      }
    }
    if (followed.size() >= settings.mostFiles()) {
      leftAlone++;
      return;
    }
    Followed one = new Followed(path, anchor);
    followed.put(path, one);
    boolean old = first || status.created() < anchor;
    if (opening && old && !settings.fromBeginning()) {
      one.beginAtEnd(now, id -> isTaken(one, id));
    }
  }

  /** Stops. What was not acknowledged comes again. */
  @Override
  public void close() {
    followed.values().forEach(Followed::close);
    followed.clear();
  }
}
