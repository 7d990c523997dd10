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

  private final Map<Long, FlameTree.Frame> frames;
  private final Map<FlameTree.Frame, Integer> places = new HashMap<>();
  private final List<FlameTree.Frame> used = new ArrayList<>();
  private final Branch root = new Branch(-1);

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
      branch = branch.children.computeIfAbsent(place, Branch::new);
      branch.total = sum(branch.total, value);
    }
    branch.self = sum(branch.self, value);
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
    Comparator<Branch> order =
        Comparator.comparing(
            branch -> used.get(branch.frame),
            Comparator.comparing(FlameTree.Frame::name)
                .thenComparing(frame -> String.valueOf(frame.file()))
                .thenComparing(frame -> String.valueOf(frame.kind())));
    List<FlameTree.Node> nodes = new ArrayList<>();
    Deque<Open> open = new ArrayDeque<>();
    open.push(new Open(root, -1));
    while (!open.isEmpty()) {
      Open next = open.pop();
      int place = nodes.size();
      nodes.add(
          new FlameTree.Node(next.parent, next.branch.frame, next.branch.self, next.branch.total));
      next.branch.children.values().stream()
          .sorted(order.reversed())
          .forEach(child -> open.push(new Open(child, place)));
    }
    return new FlameTree(used, nodes, more);
  }

  private record Open(Branch branch, int parent) {}
}
