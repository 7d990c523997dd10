/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.configuration;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keys in the order in which they stand in a file. */
final class KeyList {
  private final List<Key<?>> keys = new ArrayList<>();

  List<Key<?>> keys() {
    return Collections.unmodifiableList(keys);
  }

  <T> Key<T> key(String path, Type<T> type, T standard, String help) {
    return add(new Key<>(path, type, standard, type.print(standard), help));
  }

  /** One that has no default here, for others have a say in what is not set. */
  <T> Key<T> open(String path, Type<T> type, String example, String help) {
    @Nullable T none = null;
    return add(new Key<>(path, type, none, example, help));
  }

  Key<Boolean> flag(String path, boolean standard, String help) {
    return key(path, Scalars.FLAG, standard, help);
  }

  private <T> Key<T> add(Key<T> key) {
    keys.add(key);
    return key;
  }
}
