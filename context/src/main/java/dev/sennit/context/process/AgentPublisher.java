/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.process;

import dev.sennit.context.shared.Rendezvous;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The publisher of the agent's copy of these classes, for the other copies: the agent has native
 * access, where they would make the JVM print a warning or be denied it. Contexts travel encoded,
 * as in the record.
 */
final class AgentPublisher {
  /** Asked first: whether it is there. */
  private static final String LEADS = "process.leads";

  private static final String PUBLISH = "process.publish";
  private static final String DROP = "process.drop";
  private static final String IS_PUBLISHED = "process.isPublished";
  private static final String CONTRIBUTE = "process.contribute";
  private static final String WITHDRAW = "process.withdraw";

  private final BiFunction<String, Object, @Nullable Object> copy;

  private AgentPublisher(BiFunction<String, Object, @Nullable Object> copy) {
    this.copy = copy;
  }

  /** Finds it; null where there is none, and in the agent's own copy, which offers itself. */
  static @Nullable AgentPublisher find() {
    if (Rendezvous.isAgent()) {
      offer();
      return null;
    }
    for (BiFunction<String, Object, @Nullable Object> other : Rendezvous.others()) {
      if (Boolean.TRUE.equals(other.apply(LEADS, ""))) {
        return new AgentPublisher(other);
      }
    }
    return null;
  }

  private static void offer() {
    Rendezvous.answer(PUBLISH, doing(context -> ProcessContextPublisher.publish(decode(context))));
    Rendezvous.answer(DROP, _ -> ProcessContextPublisher.drop());
    Rendezvous.answer(IS_PUBLISHED, _ -> ProcessContextPublisher.isPublished());
    Rendezvous.answer(
        CONTRIBUTE,
        doing(context -> ProcessContextPublisher.contribute(decode(context).attributes())));
    Rendezvous.answer(
        WITHDRAW, doing(keys -> ProcessContextPublisher.withdraw(List.of((String[]) keys))));
    Rendezvous.answer(LEADS, _ -> true);
  }

  private static Function<Object, @Nullable Object> doing(Consumer<Object> action) {
    return argument -> {
      action.accept(argument);
      return null;
    };
  }

  private static ProcessContext decode(Object payload) {
    try {
      return ProcessContextCodec.decode((byte[]) payload);
    } catch (MalformedContextException e) {
      throw new ProcessContextException("another copy wrote what cannot be read: " + e, e);
    }
  }

  void publish(ProcessContext context) {
    var _ = ask(PUBLISH, ProcessContextPublisher.encode(context));
  }

  boolean drop() {
    return Boolean.TRUE.equals(ask(DROP, ""));
  }

  boolean isPublished() {
    return Boolean.TRUE.equals(ask(IS_PUBLISHED, ""));
  }

  void contribute(Map<String, AttributeValue> attributes) {
    ProcessContext context = new ProcessContext(Map.of(), attributes);
    var _ = ask(CONTRIBUTE, ProcessContextPublisher.encode(context));
  }

  void withdraw(Collection<String> keys) {
    var _ = ask(WITHDRAW, keys.toArray(String[]::new));
  }

  /** What the agent's copy refuses is refused here, by an exception that is known here. */
  private @Nullable Object ask(String question, Object argument) {
    try {
      return copy.apply(question, argument);
    } catch (RuntimeException e) {
      throw new ProcessContextException(String.valueOf(e.getMessage()), e);
    }
  }
}
