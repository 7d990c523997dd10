/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Shows reports one after the other: as JSON lines, as blocks of text, or on a terminal each in the
 * place of the one before.
 */
final class ContextView implements AutoCloseable {
  private static final String ALTERNATE_SCREEN_WITHOUT_CURSOR = "\u001b[?1049h\u001b[?25l";
  private static final String BACK_TO_THE_ORDINARY_SCREEN = "\u001b[?25h\u001b[?1049l";
  private static final String HOME = "\u001b[H";
  private static final String CLEAR_REST_OF_LINE = "\u001b[K";
  private static final String CLEAR_REST_OF_SCREEN = "\u001b[J";

  private static final long SIZE_IS_GOOD_FOR_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final PrintWriter out;
  private final Terminal terminal;
  private final boolean json;
  private final boolean inPlace;
  private boolean shown;
  private Size size = new Size(24, 80);
  private long sizeAskedAt;

  private record Size(int rows, int columns) {}

  ContextView(PrintWriter out, Terminal terminal, boolean json, boolean watch) {
    this.out = out;
    this.terminal = terminal;
    this.json = json;
    this.inPlace = watch && terminal.interactive() && !json;
  }

  /** Returns false when nobody reads any more. */
  boolean show(ContextReport report) {
    if (json) {
      out.println(ContextJson.document(report));
    } else if (inPlace) {
      showInPlace(report);
    } else {
      if (shown) {
        out.println();
      }
      ContextText.lines(report).forEach(line -> out.println(styled(line)));
    }
    shown = true;
    return !out.checkError();
  }

  private void showInPlace(ContextReport report) {
    if (!shown) {
      out.print(ALTERNATE_SCREEN_WITHOUT_CURSOR);
    }
    Size screen = screen();
    List<ContextText.Line> lines = ContextText.lines(report);
    if (lines.size() > screen.rows && report.threads() != null) {
      lines = ContextText.threadLines(report);
    }
    boolean fits = lines.size() <= screen.rows;
    int count = fits ? lines.size() : screen.rows - 1;
    StringBuilder frame = new StringBuilder(HOME);
    for (int i = 0; i < count; i++) {
      ContextText.Line line = lines.get(i);
      String text = Printable.of(line.text(), screen.columns);
      frame.append(styled(new ContextText.Line(text, line.heading()))).append(CLEAR_REST_OF_LINE);
      frame.append(i < count - 1 ? "\n" : "");
    }
    if (!fits) {
      frame.append("\n… and ").append(lines.size() - count).append(" more lines");
      frame.append(CLEAR_REST_OF_LINE);
    }
    out.print(frame.append(CLEAR_REST_OF_SCREEN));
  }

  private String styled(ContextText.Line line) {
    return line.heading() ? terminal.bold(line.text()) : line.text();
  }

  /** How large the terminal is now; it is asked again now and then, for people resize it. */
  private Size screen() {
    long now = System.nanoTime();
    if (shown && now - sizeAskedAt < SIZE_IS_GOOD_FOR_NANOS) {
      return size;
    }
    sizeAskedAt = now;
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(Path.of("/proc/self/fd/1").toRealPath().toFile())
              .start();
      String[] answer =
          new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
              .strip()
              .split(" ");
      int rows = Integer.parseInt(answer[0]);
      int columns = Integer.parseInt(answer[1]);
      if (rows > 1 && columns > 1) {
        size = new Size(rows, columns);
      }
    } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
      // The size known so far has to do.
      return size;
    }
    return size;
  }

  @Override
  public void close() {
    if (inPlace && shown) {
      out.print(BACK_TO_THE_ORDINARY_SCREEN);
    }
    out.flush();
  }
}
