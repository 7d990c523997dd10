/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.tail;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/**
 * A program that writes numbered lines and turns its file over, as logrotate does it: by renaming
 * and making a new one, or by copying and emptying. Nothing is written between copy and emptying,
 * so that nothing is lost there which nobody could read.
 */
final class RotatingWriter {
  private RotatingWriter() {}

  /** Arguments: the file, the number of lines, the number of turns, and whether to rename. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path file = Path.of(arguments[0]);
    int lines = Integer.parseInt(arguments[1]);
    int turns = Integer.parseInt(arguments[2]);
    boolean rename = Boolean.parseBoolean(arguments[3]);
    Random random = new Random(7);
    FileChannel out = open(file);
    int turned = 0;
    StringBuilder batch = new StringBuilder();
    for (int i = 0; i < lines; i++) {
      batch.append("line ").append(i).append(" and its text\n");
      if (random.nextInt(100) == 0 || i == lines - 1) {
        // A write may end in the middle of a line.
        int cut = random.nextInt(batch.length());
        write(out, batch.substring(0, cut));
        write(out, batch.substring(cut));
        batch.setLength(0);
      }
      if (turned < turns && i >= (long) (turned + 1) * lines / (turns + 1)) {
        write(out, batch.toString());
        batch.setLength(0);
        turned++;
        Path old = file.resolveSibling(file.getFileName() + "." + turned);
        if (rename) {
          Files.move(file, old);
          FileChannel next = open(file);
          // The old file is still written to for a moment.
          write(out, "line " + (lines + turned) + " late\n");
          out.close();
          out = next;
        } else {
          Files.copy(file, old);
          out.truncate(0);
        }
        Thread.sleep(random.nextInt(10));
      }
    }
    out.close();
    System.out.println("done");
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static void write(FileChannel out, String text) throws IOException {
    out.write(StandardCharsets.UTF_8.encode(text));
  }
}
