/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.format;

import dev.sennit.profiles.Profile;
import dev.sennit.profiles.dictionary.StackTable;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The stacks of one profile as a tree with the root at node 0, and what was measured at the end of
 * each. A parent has a smaller number than its children.
 */
final class StackTree {
  private final Frames frames;
  private final StackTable stacks;
  private final int[] nodeOfStack;

  private int[] parents = new int[64];
  private int[] frameOf = new int[64];
  private long[] values = new long[64];
  private int size = 1;

  /** Open addressing from parent and frame to node; 0 is free, for nothing leads to the root. */
  private int[] slots = new int[256];

  private final Map<Linked, Long> linked = new LinkedHashMap<>();

  /** A node, and the span that it was measured in. */
  record Linked(int node, int link) {}

  StackTree(Profile profile, StackTable stacks, Frames frames) {
    this.frames = frames;
    this.stacks = stacks;
    this.nodeOfStack = new int[stacks.size()];
    for (int i = 0; i < profile.sampleCount(); i++) {
      int node = node(profile.stack(i));
      long value = sum(profile, i);
      values[node] += value;
      if (profile.link(i) != 0) {
        linked.merge(new Linked(node, profile.link(i)), value, Long::sum);
      }
    }
  }

  static long sum(Profile profile, int sample) {
    long sum = 0;
    for (int k = 0; k < profile.observations(sample); k++) {
      sum += profile.value(sample, k);
    }
    return sum;
  }

  /** The number of nodes, the root included. */
  int size() {
    return size;
  }

  int parent(int node) {
    return parents[node];
  }

  /** The frame of a node other than the root. */
  int frame(int node) {
    return frameOf[node];
  }

  /** The frames from the root to a node, which is not the root itself. */
  int[] path(int node) {
    int depth = 0;
    for (int at = node; at != 0; at = parents[at]) {
      depth++;
    }
    int[] path = new int[depth];
    for (int at = node; at != 0; at = parents[at]) {
      path[--depth] = frameOf[at];
    }
    return path;
  }

  /** What was measured with this node as the innermost frame. */
  long value(int node) {
    return values[node];
  }

  /** What was measured in spans; it is part of the values as well. */
  Map<Linked, Long> linked() {
    return linked;
  }

  private int node(int stack) {
    int known = nodeOfStack[stack];
    if (known != 0) {
      return known;
    }
    int node = 0;
    for (int k = stacks.length(stack) - 1; k >= 0; k--) {
      int[] inlined = frames.of(stacks.location(stack, k));
      for (int j = inlined.length - 1; j >= 0; j--) {
        node = child(node, inlined[j]);
      }
    }
    if (node == 0) {
      node = child(0, frames.noStack());
    }
    nodeOfStack[stack] = node;
    return node;
  }

  private int child(int parent, int frame) {
    int at = hash(parent, frame);
    while (slots[at] != 0) {
      int node = slots[at];
      if (parents[node] == parent && frameOf[node] == frame) {
        return node;
      }
      at = (at + 1) & slots.length - 1;
    }
    int node = size++;
    if (node == parents.length) {
      parents = Arrays.copyOf(parents, 2 * node);
      frameOf = Arrays.copyOf(frameOf, 2 * node);
      values = Arrays.copyOf(values, 2 * node);
    }
    parents[node] = parent;
    frameOf[node] = frame;
    slots[at] = node;
    if (size * 2 > slots.length) {
      grow();
    }
    return node;
  }

  private void grow() {
    slots = new int[slots.length * 2];
    for (int node = 1; node < size; node++) {
      int at = hash(parents[node], frameOf[node]);
      while (slots[at] != 0) {
        at = (at + 1) & slots.length - 1;
      }
      slots[at] = node;
    }
  }

  private int hash(int parent, int frame) {
    long mixed = (((long) parent << 32) + frame) * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32) & slots.length - 1;
  }
}
