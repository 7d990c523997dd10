/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.line;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Puts lines together from what threads write: a line may come in parts, and a stack trace may be
 * one call for each of its lines. The span of a line is the one in which its first byte was
 * written; where the thread has come into another span meanwhile, a new line begins.
 *
 * <p>Programs that buffer write many lines at once, of whichever threads, when the buffer is full.
 * Such lines are marked as shared, for the thread that wrote them says nothing about them.
 *
 * <p>It has no clock and starts no thread: its caller says what time it is, by {@link #advance}.
 * Not for use by several threads at the same time.
 */
public final class Lines {
  private record Descriptor(int pid, int descriptor) {}

  private final LineLimits limits;
  private final long patience;
  private final Consumer<Line> out;

  /** The one that has been silent for longest comes first. */
  private final LinkedHashMap<Writer, Held> writers = new LinkedHashMap<>(64, 0.75f, true);

  private final LinkedHashMap<Descriptor, Layout> layouts = new LinkedHashMap<>(64, 0.75f, true);
  private int held;

  /**
   * @param out takes lines, with a parser that has seen the descriptor's others
   */
  public Lines(LineLimits limits, Consumer<Line> out) {
    this.limits = limits;
    this.patience = limits.patience().toNanos();
    this.out = out;
  }

  /** A thread has written. */
  public void written(Write write) {
    Writer writer = new Writer(write.pid(), write.tid(), write.descriptor());
    Layout layout =
        layouts.computeIfAbsent(new Descriptor(write.pid(), write.descriptor()), _ -> new Layout());
    Held line = writers.computeIfAbsent(writer, _ -> new Held());
    held -= line.size();
    take(writer, line, layout, write);
    line.touch(write.time());
    held += line.size();
    bound();
  }

  private void take(Writer writer, Held line, Layout layout, Write write) {
    byte[] bytes = write.bytes();
    int size = write.size();
    boolean shared = beginsSeveral(line, layout, write);
    boolean together = false;
    for (int from = rest(line, bytes, size); from < size; ) {
      int end = endOfLine(bytes, from, size);
      if (!line.isBegun()) {
        line.begin(write, shared);
        layout.first(bytes, from, end);
      } else if (line.isEnded()) {
        if (line.isOfSpan(write.span()) && layout.goesOn(bytes, from, end, together)) {
          line.goOn(limits.lineBytes());
        } else {
          emit(writer, line, layout);
          line.begin(write, shared);
          layout.first(bytes, from, end);
        }
      }
      line.add(bytes, from, end, limits.lineBytes());
      together = true;
      if (end < size) {
        line.end();
      }
      from = end + 1;
    }
    if (!write.whole()) {
      line.skip(false);
    }
    if (!write.whole() && line.isBegun()) {
      line.cut();
      emit(writer, line, layout);
    }
  }

  /** Where what is to be read begins, behind the rest of a line that has gone out, cut. */
  private static int rest(Held line, byte[] bytes, int size) {
    if (!line.isSkipping()) {
      return 0;
    }
    int end = endOfLine(bytes, 0, size);
    line.skip(end == size);
    return end + 1;
  }

  /** Whether lines begin with this write that have nothing to do with one another. */
  private static boolean beginsSeveral(Held line, Layout layout, Write write) {
    byte[] bytes = write.bytes();
    int first = endOfLine(bytes, 0, write.size());
    if (first + 1 >= write.size()) {
      return false;
    }
    boolean goesOnFirst = line.isSkipping() || (line.isBegun() && !line.isEnded());
    if (!goesOnFirst) {
      layout.first(bytes, 0, first);
    }
    int begun = goesOnFirst ? 0 : 1;
    for (int from = first + 1; from < write.size() && begun < 2; ) {
      int end = endOfLine(bytes, from, write.size());
      begun += layout.goesOn(bytes, from, end, true) ? 0 : 1;
      from = end + 1;
    }
    return begun > 1;
  }

  private static int endOfLine(byte[] bytes, int from, int size) {
    int at = from;
    while (at < size && bytes[at] != '\n') {
      at++;
    }
    return at;
  }

  /** It has become this time, in nanoseconds since 1970; what has waited long enough goes out. */
  public void advance(long now) {
    for (Map.Entry<Writer, Held> entry : writers.entrySet()) {
      Held line = entry.getValue();
      if (now - line.touched() < patience) {
        break;
      }
      boolean overfull = line.isOverfull();
      emit(entry.getKey(), line);
      line.skip(line.isSkipping() || overfull);
    }
  }

  /** A process has ended, and with it all its lines. */
  public void ended(int pid) {
    for (Iterator<Map.Entry<Writer, Held>> i = writers.entrySet().iterator(); i.hasNext(); ) {
      Map.Entry<Writer, Held> entry = i.next();
      if (entry.getKey().pid() == pid) {
        emit(entry.getKey(), entry.getValue());
        i.remove();
      }
    }
    layouts.keySet().removeIf(descriptor -> descriptor.pid() == pid);
  }

  /** Everything goes out as it is. */
  public void flush() {
    writers.forEach(this::emit);
  }

  private void bound() {
    while (writers.size() > limits.writers() || held > limits.bytes()) {
      Map.Entry<Writer, Held> eldest = writers.firstEntry();
      emit(eldest.getKey(), eldest.getValue());
      writers.remove(eldest.getKey());
    }
    if (layouts.size() > limits.writers()) {
      layouts.pollFirstEntry();
    }
  }

  private void emit(Writer writer, Held line) {
    if (line.isBegun()) {
      Descriptor descriptor = new Descriptor(writer.pid(), writer.descriptor());
      held -= line.size();
      emit(writer, line, layouts.computeIfAbsent(descriptor, _ -> new Layout()));
    }
  }

  private void emit(Writer writer, Held line, Layout layout) {
    Line whole = line.take(writer, layout.parser());
    if (whole.bytes().length > 0 || whole.cut()) {
      out.accept(whole);
    }
  }

  /** How many bytes wait. */
  public int held() {
    return held;
  }
}
