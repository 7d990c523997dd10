/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.dictionary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/** What all tables have in common, and what is particular to each. */
class DictionaryTablesTest {
  private final ProfilesDictionary dictionary = new ProfilesDictionary();

  @Test
  void indexZeroIsTheZeroValueInEveryTable() {
    onlyZeroValuesAreThere();
  }

  private void onlyZeroValuesAreThere() {
    assertThat(dictionary.strings().intern((String) null)).isZero();
    assertThat(dictionary.strings().intern("")).isZero();
    assertThat(dictionary.strings().intern(new byte[0], 0, 0)).isZero();
    assertThat(dictionary.strings().get(0)).isEmpty();
    assertThat(dictionary.functions().intern(0, 0, 0, 0)).isZero();
    assertThat(dictionary.mappings().intern(0, 0, 0, 0, 0)).isZero();
    assertThat(dictionary.locations().intern(0, 0, 0, 0, 0, 0)).isZero();
    assertThat(dictionary.locations().lineCount(0)).isZero();
    assertThat(dictionary.stacks().intern(new int[0], 0, 0)).isZero();
    assertThat(dictionary.stacks().length(0)).isZero();
    assertThat(dictionary.links().intern(0, 0, 0)).isZero();
    assertThat(dictionary.attributes().kind(0)).isEqualTo(AttributeTable.Kind.NONE);
    assertThat(dictionary.attributeSets().intern()).isZero();
    assertThat(sizes()).containsOnly(1);
  }

  @Test
  void manyEntriesKeepTheirIndicesWhileTheTablesGrow() {
    allTablesFill();
  }

  private void allTablesFill() {
    distinct(i -> dictionary.strings().intern("string " + i));
    distinct(i -> dictionary.functions().intern(i, i % 3, i % 5, i % 7));
    distinct(i -> dictionary.mappings().intern(i, i + 1L, 0, 0, 0));
    distinct(i -> dictionary.locations().intern(0, 0, i / 2, i % 2, 0, 0));
    distinct(i -> dictionary.stacks().intern(new int[] {9, i, i / 2, 9}, 1, 2));
    distinct(i -> dictionary.links().intern(0, 1, i));
    distinct(i -> dictionary.attributes().internInt(1, i, 0));
    distinct(i -> dictionary.attributeSets().intern(i, i + 1));
    assertThat(dictionary.strings().get(5000)).isEqualTo("string 5000");
    assertThat(dictionary.functions().startLine(9)).isEqualTo(2);
    assertThat(dictionary.mappings().memoryLimit(77)).isEqualTo(78);
    assertThat(dictionary.stacks().location(100, 1)).isEqualTo(50);
    assertThat(dictionary.links().spanId(4711)).isEqualTo(4711);
    assertThat(dictionary.attributes().intValue(4711)).isEqualTo(4711);
  }

  @Test
  void aResetTableIsAsNewAndFillsAgain() {
    for (int round = 0; round < 3; round++) {
      allTablesFill();
      dictionary.reset();
      onlyZeroValuesAreThere();
    }
  }

  @Test
  void aStringIsTheSameFromTextAndFromUtf8() {
    for (String text : new String[] {"plain", "\u00e9t\u00e9", "\ud83d\ude00", "Aa", "BB"}) {
      byte[] utf8 = ("<" + text + ">").getBytes(StandardCharsets.UTF_8);
      int index = dictionary.strings().intern(utf8, 1, utf8.length - 2);
      assertThat(dictionary.strings().intern(text)).isEqualTo(index);
      assertThat(dictionary.strings().intern(utf8, 1, utf8.length - 2)).isEqualTo(index);
      assertThat(dictionary.strings().get(index)).isEqualTo(text);
    }
  }

  @Test
  void stringsThatAreWrittenAlikeAreOneEntry() {
    int question = dictionary.strings().intern("a?");
    assertThat(dictionary.strings().intern("a\ud800")).isEqualTo(question);
    int key = dictionary.strings().intern("key");
    assertThat(dictionary.attributes().internString(key, "\udc00", 0))
        .isEqualTo(dictionary.attributes().internString(key, "?", 0));
  }

  @Test
  void attributesOfDifferentKindsOrUnitsDiffer() {
    AttributeTable attributes = dictionary.attributes();
    int[] all = {
      attributes.internInt(1, 1, 0),
      attributes.internInt(1, 1, 2),
      attributes.internInt(2, 1, 0),
      attributes.internBool(1, true, 0),
      attributes.internDouble(1, Double.longBitsToDouble(1), 0),
      attributes.internString(1, "", 0),
      attributes.internString(1, "Aa", 0),
      attributes.internString(1, "BB", 0)
    };
    assertThat(all).doesNotHaveDuplicates();
    assertThat(attributes.stringValue(all[7])).isEqualTo("BB");
    assertThat(attributes.boolValue(all[3])).isTrue();
    assertThat(attributes.internDouble(1, Double.NaN, 0))
        .isEqualTo(attributes.internDouble(1, -Double.NaN, 0));
  }

  @Test
  void anAttributeNeedsAKey() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> dictionary.attributes().internString(0, "x", 0))
        .withMessageContaining("without a key: STRING x");
  }

  @Test
  void anAttributeSetIsASet() {
    AttributeSets sets = dictionary.attributeSets();
    int set = sets.intern(3, 1, 2);
    assertThat(sets.intern(2, 3, 1, 1, 0)).isEqualTo(set);
    assertThat(sets.with(sets.with(sets.with(0, 2), 3), 1)).isEqualTo(set);
    assertThat(sets.with(set, 3)).isEqualTo(set);
    assertThat(new int[] {sets.attribute(set, 0), sets.attribute(set, 1), sets.attribute(set, 2)})
        .containsExactly(1, 2, 3);
  }

  @Test
  void aLocationKeepsItsInlinedLines() {
    LocationTable locations = dictionary.locations();
    int[] functions = {7, 8, 9};
    long[] lines = {10, 20, 30};
    long[] columns = {1, 0, 0};
    int inlined = locations.intern(2, 0xff, functions, lines, columns, 0, 2, 5);
    assertThat(locations.intern(2, 0xff, functions, lines, columns, 0, 3, 5)).isNotEqualTo(inlined);
    assertThat(locations.intern(2, 0xff, 7, 10, 1, 5)).isNotEqualTo(inlined);
    assertThat(locations.intern(2, 0xff, functions, lines, columns, 0, 2, 5)).isEqualTo(inlined);
    assertThat(locations.lineCount(inlined)).isEqualTo(2);
    assertThat(locations.function(inlined, 1)).isEqualTo(8);
    assertThat(locations.line(inlined, 1)).isEqualTo(20);
    assertThat(locations.column(inlined, 0)).isEqualTo(1);
    assertThat(locations.mapping(inlined)).isEqualTo(2);
    assertThat(locations.address(inlined)).isEqualTo(0xff);
    assertThat(locations.attributeSet(inlined)).isEqualTo(5);
  }

  @Test
  void stacksOfAnyDepthAndAnyLocationsAreKept() {
    Random random = new Random(1);
    List<int[]> stacks = new ArrayList<>();
    for (int depth : new int[] {1, 64, 2048, 65_535, 65_536, 65_537, 40_000, 3, 200_000, 2}) {
      for (int highest : new int[] {100, 65_535, 65_536, Integer.MAX_VALUE}) {
        int[] stack = random.ints(depth, 1, highest).toArray();
        stack[depth - 1] = highest;
        stacks.add(stack);
      }
    }
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < stacks.size(); i++) {
        int[] stack = stacks.get(i);
        assertThat(dictionary.stacks().intern(stack, 0, stack.length)).isEqualTo(i + 1);
      }
      for (int i = 0; i < stacks.size(); i++) {
        int[] stack = stacks.get(i);
        int[] copy = dictionary.stacks().locations(i + 1, new int[8]);
        assertThat(Arrays.copyOf(copy, dictionary.stacks().length(i + 1))).isEqualTo(stack);
        assertThat(dictionary.stacks().location(i + 1, stack.length - 1))
            .isEqualTo(stack[stack.length - 1]);
      }
      dictionary.reset();
    }
  }

  @Test
  void aStackMayBeInternedWithTheHashAtHand() {
    int[] stack = {5, 4, 3};
    int index = dictionary.stacks().intern(stack, 0, 3);
    assertThat(dictionary.stacks().intern(stack, 0, 3, StackTable.hash(stack, 0, 3)))
        .isEqualTo(index);
    assertThat(dictionary.stacks().intern(stack, 0, 2)).isNotEqualTo(index);
    assertThat(dictionary.stacks().intern(new int[] {3, 4, 5}, 0, 3)).isNotEqualTo(index);
  }

  @Test
  void aLinkOf64BitIdsHasTheRootInTheLowHalfOfTheTraceId() {
    int link = dictionary.links().intern(7L, 8L);
    assertThat(dictionary.links().intern(0, 8, 7)).isEqualTo(link);
    assertThat(dictionary.links().traceIdLow(link)).isEqualTo(8);
    assertThat(dictionary.links().traceIdHigh(link)).isZero();
    assertThat(dictionary.links().intern(0L, 8L)).isZero();
    assertThat(dictionary.links().intern(7L, 0L)).isZero();
  }

  @Test
  void identitiesCountFromZeroAndMayBeAllZero() {
    SampleIdentities identities = new SampleIdentities();
    assertThat(identities.intern(0, 0, 0)).isZero();
    assertThat(identities.intern(1, 2, 3)).isEqualTo(1);
    assertThat(identities.intern(0, 0, 0)).isZero();
    assertThat(identities.size()).isEqualTo(2);
    assertThat(identities.link(1)).isEqualTo(3);
  }

  /**
   * Interns 10,000 entries twice: the first time they are new and count up, then they are known.
   */
  private static void distinct(IntUnaryOperator intern) {
    for (int round = 0; round < 2; round++) {
      for (int i = 1; i <= 10_000; i++) {
        assertThat(intern.applyAsInt(i)).isEqualTo(i);
      }
    }
  }

  private int[] sizes() {
    return new int[] {
      dictionary.strings().size(),
      dictionary.functions().size(),
      dictionary.mappings().size(),
      dictionary.locations().size(),
      dictionary.stacks().size(),
      dictionary.links().size(),
      dictionary.attributes().size(),
      dictionary.attributeSets().size()
    };
  }
}
