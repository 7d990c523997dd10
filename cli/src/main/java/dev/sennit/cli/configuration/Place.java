/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.configuration;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The keys as the file has them: sections in sections. */
sealed interface Place {
  /** The whole file. */
  static Section root() {
    return Roots.ROOT;
  }

  /** A key and its value. */
  record Value(Key<?> key) implements Place {}

  /** Further keys, by their names. */
  record Section(String path, Map<String, Place> places) implements Place {
    /** The path of what has this name here. */
    String pathOf(String name) {
      return path.isEmpty() ? name : path + "." + name;
    }

    /** What was probably meant by a name that is not known here. */
    Optional<String> suggestion(String name) {
      Optional<String> here = Nearest.to(name, places.keySet()).map(this::pathOf);
      if (here.isPresent()) {
        return here;
      }
      List<String> elsewhere =
          Keys.all().stream().map(Key::path).filter(each -> each.endsWith("." + name)).toList();
      return elsewhere.size() == 1 ? Optional.of(elsewhere.getFirst()) : Optional.empty();
    }
  }

  /** Made when it is first needed. */
  final class Roots {
    private static final Section ROOT = build();

    private Roots() {}

    private static Section build() {
      Section root = new Section("", new LinkedHashMap<>());
      for (Key<?> key : Keys.all()) {
        Section section = root;
        String[] names = key.path().split("\\.");
        for (int i = 0; i < names.length - 1; i++) {
          String path = section.pathOf(names[i]);
          Place inner =
              section.places.computeIfAbsent(
                  names[i], name -> new Section(path, new LinkedHashMap<>()));
          if (!(inner instanceof Section next)) {
            throw new IllegalStateException(path + " is a key and a section");
          }
          section = next;
        }
        section.places.put(key.name(), new Value(key));
      }
      return root;
    }
  }
}
