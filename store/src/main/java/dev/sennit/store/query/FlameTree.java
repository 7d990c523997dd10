/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Samples summed by who called whom, for a flame graph.
 *
 * @param frames every method or function once, by name
 * @param nodes the root first, every node before what it calls and that before the next of its
 *     parent, those of one parent by name
 * @param more whether the limit has cut off stacks, of which the smallest are
 */
public record FlameTree(List<Frame> frames, List<Node> nodes, boolean more) {
  public FlameTree {
    frames = List.copyOf(frames);
    nodes = List.copyOf(nodes);
  }

  /**
   * A method or function; its lines are not told apart.
   *
   * @param kind such as jvm, native or kernel
   */
  public record Frame(String name, @Nullable String file, @Nullable String kind) {}

  /**
   * A way to call a frame.
   *
   * @param parent its place in the list; -1 for the root
   * @param frame the place of its frame; -1 for the root
   * @param self the sum of the samples that ended here
   * @param total the same with all that is above
   */
  public record Node(int parent, int frame, long self, long total) {}

  public long total() {
    return nodes.getFirst().total();
  }
}
