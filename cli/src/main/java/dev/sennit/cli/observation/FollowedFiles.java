/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.correlation.line.Line;
import dev.sennit.correlation.line.LineLimits;
import dev.sennit.correlation.line.Lines;
import dev.sennit.correlation.line.Write;
import dev.sennit.correlation.line.Write.Told;
import dev.sennit.correlation.record.NativeName;
import dev.sennit.correlation.tail.FileTails;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Log files that are followed whoever writes them. How far they were read is remembered when what
 * was read has gone on.
 */
final class FollowedFiles implements AutoCloseable {
  private static final int MOST_ROUNDS = 16;

  /** Events of the kernel wait while files are read, and there may be much to catch up with. */
  private static final int MOST_BYTES = 1 << 20;

  private static final long REMEMBERED = TimeUnit.SECONDS.toNanos(1);
  private static final NativeName NOBODY = new NativeName(0, 0);

  /** By the number that stands for the file in the place of a descriptor. */
  private final List<Path> files = new ArrayList<>();

  private final Map<Path, Integer> numbers = new HashMap<>();
  private final Lines lines;
  private final Runnable handOn;
  private final Consumer<String> log;
  private Optional<TailOptions> options = Optional.empty();
  private @Nullable FileTails tails;
  private String complaint = "";
  private long remembered;
  private int taken;

  /**
   * @param out takes lines; in the place of the process is nothing
   * @param handOn has all that was taken so far handed on
   */
  FollowedFiles(Consumer<Line> out, Runnable handOn, Consumer<String> log) {
    lines = new Lines(LineLimits.defaults(), out);
    this.handOn = handOn;
    this.log = log;
  }

  /** Follows others from now on. */
  void change(Optional<TailOptions> newOptions) throws IOException {
    if (newOptions.equals(options)) {
      return;
    }
    FileTails fresh = newOptions.isPresent() ? open(newOptions.get()) : null;
    close();
    tails = fresh;
    options = newOptions;
  }

  private static FileTails open(TailOptions options) throws IOException {
    Path folder = options.positions().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    return FileTails.open(options.settings(), options.positions());
  }

  /** The file whose line has this in the place of a descriptor. */
  Path file(int number) {
    return files.get(number);
  }

  /**
   * Reads what was written since.
   *
   * @param now in nanoseconds since 1970
   */
  void read(long now) {
    FileTails current = tails;
    if (current == null) {
      return;
    }
    try {
      taken = 0;
      int rounds = 0;
      while (current.poll(
              (file, bytes, from, to, cut) -> take(file, bytes, from, to, cut, now), this::isEnough)
          && !isEnough()
          && ++rounds < MOST_ROUNDS) {
        // As long as there is more, and others are not kept waiting for too long.
      }
      complaint = "";
    } catch (IOException e) {
      complain(String.valueOf(e.getMessage()));
    }
    lines.advance(now);
    if (System.nanoTime() - remembered >= REMEMBERED) {
      remember(current);
    }
  }

  private boolean isEnough() {
    return taken >= MOST_BYTES;
  }

  private void take(Path file, byte[] bytes, int from, int to, boolean cut, long now) {
    int number =
        numbers.computeIfAbsent(
            file,
            fresh -> {
              files.add(fresh);
              return files.size() - 1;
            });
    taken += to - from;
    byte[] line = Arrays.copyOfRange(bytes, from, to + 1);
    line[to - from] = '\n';
    lines.written(
        new Write(0, 0, number, now, line, line.length, !cut, Told.NOTHING, null, NOBODY));
  }

  private void remember(FileTails current) {
    lines.flush();
    handOn.run();
    try {
      current.acknowledge();
    } catch (IOException e) {
      complain("where files were read to cannot be kept: " + e.getMessage());
    }
    remembered = System.nanoTime();
  }

  /** Once, for it will go on. */
  private void complain(String line) {
    if (!line.equals(complaint)) {
      complaint = line;
      log.accept(line);
    }
  }

  @Override
  public void close() {
    if (tails != null) {
      remember(tails);
      tails.close();
      tails = null;
    }
  }
}
