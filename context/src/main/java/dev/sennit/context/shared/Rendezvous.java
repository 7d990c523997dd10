/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.shared;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
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

  private static final String AGENT_MODULE = "dev.sennit.agent";

  private static @Nullable Copy own;

  private Rendezvous() {}

  /** A copy, as it shows itself to others. */
  private static final class Copy extends ThreadGroup
      implements BiFunction<String, Object, @Nullable Object> {
    private final Map<String, Function<Object, @Nullable Object>> answers =
        new ConcurrentHashMap<>();

    Copy(ThreadGroup root) {
      super(root, NAME);
    }

    @Override
    public @Nullable Object apply(String question, Object argument) {
      Function<Object, @Nullable Object> answer = answers.get(question);
      return answer == null ? null : answer.apply(argument);
    }
  }

  /**
   * Makes this copy known as one that has an answer to a question; to all others it replies null.
   *
   * @param answer what it replies to the argument that comes with the question
   */
  public static void answer(String question, Function<Object, @Nullable Object> answer) {
    synchronized (LOCK) {
      Copy copy = own;
      if (copy == null) {
        copy = new Copy(root());
        own = copy;
      }
      copy.answers.put(question, answer);
    }
  }

  /** Whether this is the agent's copy, to which the others give way. */
  public static boolean isAgent() {
    return AGENT_MODULE.equals(Rendezvous.class.getModule().getName());
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
