/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class TableTest {
  @Test
  void columnsAreAsWideAsTheirWidestCell() {
    Table table = new Table("PID", "SERVICE", "N");
    table.add("7", "a", "1");
    table.add("12345", "über-🧶", "");
    assertThat(table.lines())
        .containsExactly("PID    SERVICE  N", "7      a        1", "12345  über-🧶");
  }

  @Test
  void everyRowHasACellForEachColumn() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Table("A", "B").add("1"))
        .withMessage("1 cells in a table of 2 columns");
  }
}
