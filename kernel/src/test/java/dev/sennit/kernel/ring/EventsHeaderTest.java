/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.kernel.CHeader;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the programs write and what is read here have one description, which is a C header. */
class EventsHeaderTest {
  private static final Pattern CONSTANT = Pattern.compile("(\\w+)(?:\\s*=\\s*(\\d+))?");
  private static final Pattern FLAG = Pattern.compile("#define EVENT_(\\w+) (\\d+)");

  private final CHeader header;

  EventsHeaderTest() throws IOException {
    header = CHeader.read("events.h");
  }

  @Test
  void theKindsOfEventsAreThoseOfThePrograms() {
    Map<String, Integer> kinds = constants("event_kind", "EVENT_");
    // No event is of this kind; it stands for numbers that are not known.
    kinds.put(EventKind.NONE.name(), 0);
    assertThat(numbersOf(EventKind.values())).isEqualTo(kinds);
  }

  @Test
  void theWaysAreThoseOfThePrograms() {
    Map<String, Integer> ways = constants("way", "WAY_");
    assertThat(numbersOf(Way.values())).isEqualTo(ways);
    assertThat(Way.values()).allMatch(way -> Way.of(way.number()) == way);
  }

  @Test
  void theOutcomesAreThoseOfThePrograms() {
    Map<String, Integer> outcomes = constants("outcome", "OUTCOME_");
    assertThat(outcomes.remove("OUTCOMES"))
        .as("the last, which says how many there are")
        .isEqualTo(Outcome.values().length);
    assertThat(numbersOf(Outcome.values())).isEqualTo(outcomes);
  }

  @Test
  void theFieldsOfAnEventAreWhereTheCompilerPutsThem() throws IllegalAccessException {
    Map<String, Integer> expected = new LinkedHashMap<>();
    CHeader.Layout layout = header.layout("event");
    layout
        .offsets()
        .forEach(
            (name, offset) -> {
              if (!name.startsWith("spare")) {
                expected.put(name.toUpperCase(Locale.ROOT), offset);
              }
            });
    expected.put("HEADER_SIZE", layout.size());
    FLAG.matcher(header.text())
        .results()
        .forEach(flag -> expected.put(flag.group(1), Integer.parseInt(flag.group(2))));

    Map<String, Integer> found = new LinkedHashMap<>();
    for (Field field : KernelEvent.class.getDeclaredFields()) {
      int modifiers = field.getModifiers();
      if (Modifier.isStatic(modifiers) && !Modifier.isPrivate(modifiers)) {
        found.put(field.getName(), field.getInt(null));
      }
    }
    assertThat(found).isEqualTo(expected);
  }

  /** The constants of an enum by their numbers in C. */
  private Map<String, Integer> constants(String name, String prefix) {
    Map<String, Integer> constants = new LinkedHashMap<>();
    int next = 0;
    for (MatchResult constant : CONSTANT.matcher(header.block("enum " + name)).results().toList()) {
      next = constant.group(2) == null ? next : Integer.parseInt(constant.group(2));
      String plain = constant.group(1);
      constants.put(plain.startsWith(prefix) ? plain.substring(prefix.length()) : plain, next++);
    }
    return constants;
  }

  private static Map<String, Integer> numbersOf(Enum<?>[] constants) {
    return Arrays.stream(constants).collect(Collectors.toMap(Enum::name, Enum::ordinal));
  }
}
