/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import dev.sennit.fleet.RawRequest.Placed;
import dev.sennit.fleet.TraceState.Held;
import dev.sennit.fleet.TraceState.Stage;
import dev.sennit.intake.Encoding;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The traces of a partition that wait. They are in memory, for each is asked for several times
 * within seconds. So that they are known after a restart, each step writes all that it changed as
 * one page of a log: a record for a hundred spans, not several for each trace. The log is cut off
 * at its begin: when no trace needs the first page any longer it goes, and what is left on a page
 * that has become old is written again on the latest.
 *
 * <p>The bytes of spans are in the pages, and these in a store in memory as long as there is room,
 * else in one on disk.
 */
final class WaitingTraces {
  /** What a trace takes on a page in memory, beside the bytes of the page. */
  private static final long OVERHEAD = 300;

  /** So many pages from the disk are kept for the next who asks. */
  private static final int READ_PAGES = 16;

  private record Due(long time, TraceId trace) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      return Long.compare(time, other.time);
    }
  }

  private final KeyValueStore<Bytes, byte[]> inMemory;
  private final KeyValueStore<Bytes, byte[]> onDisk;
  private final WaitingMemory memory;
  private final long oldAfter;
  private final Map<TraceId, TraceState> traces = new HashMap<>();
  private final Deque<WaitingPage> pages = new ArrayDeque<>();
  private final PriorityQueue<Due> dues = new PriorityQueue<>();
  private final Map<WaitingPage, PageContent> read =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<WaitingPage, PageContent> eldest) {
          return size() > READ_PAGES;
        }
      };
  private long next;
  private long time;
  private @Nullable PageDraft draft;

  /**
   * @param waiting how long most of them wait
   */
  WaitingTraces(
      KeyValueStore<Bytes, byte[]> inMemory,
      KeyValueStore<Bytes, byte[]> onDisk,
      WaitingMemory memory,
      Duration waiting) {
    this.inMemory = inMemory;
    this.onDisk = onDisk;
    this.memory = memory;
    oldAfter = waiting.toMillis() * 3 / 2;
    restore();
  }

  private void restore() {
    SortedMap<Long, Boolean> numbers = new TreeMap<>();
    numbers(inMemory, number -> numbers.put(number, true));
    numbers(onDisk, number -> numbers.put(number, false));
    numbers.forEach(
        (number, isInMemory) -> {
          byte[] bytes = Objects.requireNonNull((isInMemory ? inMemory : onDisk).get(key(number)));
          PageContent content = new PageContent(bytes);
          WaitingPage page = new WaitingPage(number, content.time());
          content.traces(page, new Restoring(page));
          settle(page, content, isInMemory ? bytes.length : 0);
          next = number + 1;
        });
    for (TraceState state : traces.values()) {
      state.pages.forEach(page -> page.needed++);
      dues.add(new Due(state.due, state.trace));
    }
    cutOff();
  }

  private static void numbers(KeyValueStore<Bytes, byte[]> store, Consumer<Long> out) {
    try (KeyValueIterator<Bytes, byte[]> entries = store.all()) {
      while (entries.hasNext()) {
        KeyValue<Bytes, byte[]> entry = entries.next();
        out.accept(ByteBuffer.wrap(entry.key.get()).getLong());
      }
    }
  }

  private static Bytes key(long number) {
    return Bytes.wrap(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
  }

  /** From now on something changes. */
  void open(long newTime) {
    time = newTime;
  }

  @Nullable TraceState get(TraceId trace) {
    return traces.get(trace);
  }

  /** Adds a span to a trace that waits, from now on or since before. */
  void hold(TraceState state, Encoding encoding, Placed placed) {
    PageDraft here = mention(state);
    state.held.add(new Held(here.page, here.add(encoding, placed)));
  }

  /** Has to be told whatever changes in a trace that waits. */
  void changed(TraceState state) {
    mention(state);
  }

  private PageDraft mention(TraceState state) {
    PageDraft here = draft();
    if (state.pages.isEmpty() || state.pages.getLast() != here.page) {
      if (traces.putIfAbsent(state.trace, state) == null && state.stage == Stage.OPEN) {
        dues.add(new Due(state.due, state.trace));
      }
      state.pages.add(here.page);
      here.page.needed++;
      here.changed(state);
    }
    return here;
  }

  private PageDraft draft() {
    if (draft != null && draft.isLarge()) {
      write();
    }
    if (draft == null) {
      draft = new PageDraft(new WaitingPage(next++, time));
    }
    return draft;
  }

  /** Takes a trace out that has its name now, with its spans. */
  void end(TraceState state, BiConsumer<Encoding, Placed> out) {
    for (Held span : state.held) {
      PageContent content = content(span.page());
      out.accept(content.encoding(span.index()), content.span(span.index()));
    }
    state.held.clear();
    traces.remove(state.trace);
    if (state.isWritten()) {
      draft().ended(state.trace);
    }
    state.leave();
  }

  private PageContent content(WaitingPage page) {
    if (draft != null && draft.page == page) {
      write();
    }
    return page.content != null
        ? page.content
        : read.computeIfAbsent(
            page,
            missing -> new PageContent(Objects.requireNonNull(onDisk.get(key(missing.number)))));
  }

  /** Writes what has changed. */
  void close() {
    write();
    cutOff();
  }

  private void write() {
    if (draft == null) {
      return;
    }
    WaitingPage page = draft.page;
    byte[] bytes = draft.bytes();
    draft = null;
    boolean hasRoom = memory.hasRoom();
    (hasRoom ? inMemory : onDisk).put(key(page.number), bytes);
    settle(page, new PageContent(bytes), hasRoom ? bytes.length : 0);
  }

  private void settle(WaitingPage page, PageContent content, int bytesInMemory) {
    page.inMemory = bytesInMemory;
    page.content = bytesInMemory > 0 ? content : null;
    memory.take(bytesInMemory, page.traces * OVERHEAD);
    pages.addLast(page);
  }

  private void cutOff() {
    for (WaitingPage page = pages.peekFirst();
        page != null && page.needed == 0;
        page = pages.peekFirst()) {
      pages.removeFirst();
      (page.inMemory > 0 ? inMemory : onDisk).delete(key(page.number));
      giveBack(page);
    }
  }

  private void giveBack(WaitingPage page) {
    memory.take(-page.inMemory, -page.traces * OVERHEAD);
    read.remove(page);
  }

  /** Says which traces are to wait no longer, and keeps the log short. */
  void look(Consumer<TraceState> overdue) {
    for (Due due = dues.peek(); due != null && due.time <= time; due = dues.peek()) {
      dues.remove();
      TraceState state = traces.get(due.trace);
      if (state != null && state.due <= time) {
        overdue.accept(state);
      }
    }
    long written = next;
    for (WaitingPage page = pages.peekFirst();
        page != null && page.number < written && (isOld(page) || memory.isFull());
        page = pages.peekFirst()) {
      empty(page, overdue);
      cutOff();
    }
  }

  private boolean isOld(WaitingPage page) {
    return page.time + oldAfter <= time;
  }

  /** What still waits of a page is overdue, or is written anew. */
  private void empty(WaitingPage page, Consumer<TraceState> overdue) {
    for (TraceId trace : content(page).waiting(page)) {
      TraceState state = traces.get(trace);
      if (state == null || !state.pages.contains(page)) {
        continue;
      }
      if (state.due <= time || memory.isFull()) {
        overdue.accept(state);
      } else {
        writeAnew(state);
      }
    }
  }

  private void writeAnew(TraceState state) {
    List<Held> before = List.copyOf(state.held);
    state.held.clear();
    state.leave();
    changed(state);
    for (Held span : before) {
      PageContent content = content(span.page());
      hold(state, content.encoding(span.index()), content.span(span.index()));
    }
  }

  /** Gives the memory back to others: another process has the partition now. */
  void release() {
    pages.forEach(this::giveBack);
    pages.clear();
    traces.clear();
  }

  /** Learns from a page what was known when it was written. */
  private final class Restoring implements PageContent.Reader {
    private final WaitingPage page;

    Restoring(WaitingPage page) {
      this.page = page;
    }

    @Override
    public TraceState news(TraceId trace) {
      return mention(traces.computeIfAbsent(trace, TraceState::new));
    }

    @Override
    public TraceState whole(TraceId trace) {
      TraceState state = new TraceState(trace);
      traces.put(trace, state);
      return mention(state);
    }

    private TraceState mention(TraceState state) {
      state.pages.add(page);
      page.traces++;
      return state;
    }

    @Override
    public void ended(TraceId trace) {
      traces.remove(trace);
    }
  }
}
