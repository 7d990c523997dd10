/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.shared;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds the other copies of the context classes in this process.
 *
 * <p>Each copy puts an empty thread group below the JVM's root group, one that answers questions.
 * The JVM holds it weakly: it goes with the class loader of its copy. Nobody sees it who does not
 * list thread groups.
 */
public final class Rendezvous {
  /**
   * The lock that all copies share: interned strings are the same in all class loaders. It is held
   * while a copy enters, starts or stops, so that two never do so at once.
   */
  public static final Object LOCK = "dev.sennit.context.shared.Rendezvous".intern();

  /** The number is that of the questions that are asked; a copy that asks others is another's. */
  private static final String NAME = "sennit-contexts-1";

  private static @Nullable Copy own;

  private Rendezvous() {}

  /** A copy, as it shows itself to others. */
  private static final class Copy extends ThreadGroup
      implements BiFunction<String, Object, @Nullable Object> {
    private final BiFunction<String, Object, @Nullable Object> answers;

    Copy(ThreadGroup root, BiFunction<String, Object, @Nullable Object> answers) {
      super(root, NAME);
      this.answers = answers;
    }

    @Override
    public @Nullable Object apply(String question, Object argument) {
      return answers.apply(question, argument);
    }
  }

  /**
   * Makes this copy known.
   *
   * @param answers what it replies to a question of another copy and its argument
   */
  public static void enter(BiFunction<String, Object, @Nullable Object> answers) {
    synchronized (LOCK) {
      if (own == null) {
        own = new Copy(root(), answers);
      }
    }
  }

  /** The other copies that are there now. */
  @SuppressWarnings("unchecked") // the name says what a group of this name answers
  public static List<BiFunction<String, Object, @Nullable Object>> others() {
    synchronized (LOCK) {
      ThreadGroup root = root();
      ThreadGroup[] groups = new ThreadGroup[root.activeGroupCount() + 16];
      int count = root.enumerate(groups, false);
      List<BiFunction<String, Object, @Nullable Object>> others = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        if (groups[i] != own
            && groups[i].getName().equals(NAME)
            && groups[i] instanceof BiFunction<?, ?, ?> other) {
          others.add((BiFunction<String, Object, @Nullable Object>) other);
        }
      }
      return others;
    }
  }

  private static ThreadGroup root() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    for (ThreadGroup above = group.getParent(); above != null; above = group.getParent()) {
      group = above;
    }
    return group;
  }
}
