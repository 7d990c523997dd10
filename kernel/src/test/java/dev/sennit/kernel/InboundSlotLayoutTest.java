/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.inbound.InboundSlotDescriptor;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the programs write for threads is what these look for. */
class InboundSlotLayoutTest {
  private static final String SUFFIX = "_OFFSET";

  @Test
  void theFieldsOfASlotAreWhereTheCompilerPutsThem() throws IOException, IllegalAccessException {
    CHeader.Layout layout = CHeader.read("maps.h").layout("inbound_slot");
    Map<String, Integer> expected = new LinkedHashMap<>(layout.offsets());
    expected.keySet().removeIf(name -> name.startsWith("padding"));

    Map<String, Integer> found = new LinkedHashMap<>();
    for (Field field : InboundSlotDescriptor.class.getDeclaredFields()) {
      if (field.getName().endsWith(SUFFIX)) {
        String name = field.getName().substring(0, field.getName().length() - SUFFIX.length());
        found.put(name.toLowerCase(Locale.ROOT), field.getInt(null));
      }
    }
    assertThat(found).isEqualTo(expected);
    assertThat(InboundSlotDescriptor.SLOT_LENGTH).isEqualTo(layout.size());
  }

  @Test
  void thereAreAsManySlots() throws IOException {
    assertThat(CHeader.read("maps.h").text())
        .contains("#define INBOUND_SLOTS " + InboundSlotDescriptor.CAPACITY + "\n");
  }
}
