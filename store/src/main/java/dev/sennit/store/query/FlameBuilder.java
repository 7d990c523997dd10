/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Adds up stacks to a tree. */
final class FlameBuilder {
  private static final FlameTree.Frame UNKNOWN = new FlameTree.Frame("(unknown)", null, null);

  /** More than anybody looks at, and little enough to send. */
  private static final int MOST_NODES = 300_000;

  private static final Comparator<FlameTree.Frame> BY_NAME =
      Comparator.comparing(FlameTree.Frame::name)
          .thenComparing(frame -> String.valueOf(frame.file()))
          .thenComparing(frame -> String.valueOf(frame.kind()));

  private final Map<Long, FlameTree.Frame> frames;
  private final Map<FlameTree.Frame, Integer> places = new HashMap<>();
  private final List<FlameTree.Frame> used = new ArrayList<>();
  private final Branch root = new Branch(-1);
  private int nodes = 1;

  FlameBuilder(Map<Long, FlameTree.Frame> frames) {
    this.frames = frames;
  }

  private static final class Branch {
    final int frame;
    final Map<Integer, Branch> children = new HashMap<>();
    long self;
    long total;

    Branch(int frame) {
      this.frame = frame;
    }
  }

  /**
   * Adds the samples of a stack.
   *
   * @param frameIds the innermost first
   */
  void add(List<Long> frameIds, long value) {
    Branch branch = root;
    branch.total = sum(branch.total, value);
    for (Long id : frameIds.reversed()) {
      int place = place(frames.getOrDefault(id, UNKNOWN));
      branch = branch.children.computeIfAbsent(place, this::branch);
      branch.total = sum(branch.total, value);
    }
    branch.self = sum(branch.self, value);
  }

  /** Whether another stack may be added. */
  boolean hasRoom() {
    return nodes < MOST_NODES;
  }

  private Branch branch(int frame) {
    nodes++;
    return new Branch(frame);
  }

  private int place(FlameTree.Frame frame) {
    return places.computeIfAbsent(
        frame,
        fresh -> {
          used.add(fresh);
          return used.size() - 1;
        });
  }

  private static long sum(long one, long other) {
    try {
      return Math.addExact(one, other);
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE;
    }
  }

  FlameTree build(boolean more) {
    List<FlameTree.Frame> sorted = used.stream().sorted(BY_NAME).toList();
    int[] rank = new int[sorted.size()];
    for (int i = 0; i < rank.length; i++) {
      rank[places.getOrDefault(sorted.get(i), 0)] = i;
    }
    Comparator<Branch> order = Comparator.comparingInt(branch -> rank[branch.frame]);
    List<FlameTree.Node> tree = new ArrayList<>(nodes);
    Deque<Open> open = new ArrayDeque<>();
    open.push(new Open(root, -1));
    while (!open.isEmpty()) {
      Open next = open.pop();
      int place = tree.size();
      int frame = next.branch == root ? -1 : rank[next.branch.frame];
      tree.add(new FlameTree.Node(next.parent, frame, next.branch.self, next.branch.total));
      next.branch.children.values().stream()
          .sorted(order.reversed())
          .forEach(child -> open.push(new Open(child, place)));
    }
    return new FlameTree(sorted, tree, more);
  }

  private record Open(Branch branch, int parent) {}
}
