/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A header of the programs, as far as what is read here depends on it. */
public final class CHeader {
  private static final Pattern MEMBER = Pattern.compile("(\\w+)\\s+(\\w+)(?:\\[(\\d+)])?\\s*;");

  private final String text;

  private CHeader(String text) {
    this.text = text;
  }

  /** Reads one, without its comments. */
  public static CHeader read(String name) throws IOException {
    return new CHeader(
        Files.readString(Path.of("src", "main", "bpf", name))
            .replaceAll("(?s)/\\*.*?\\*/|//[^\n]*", ""));
  }

  public String text() {
    return text;
  }

  /** What stands between the braces of a declaration. */
  public String block(String declaration) {
    Matcher block = Pattern.compile(Pattern.quote(declaration) + "\\s*\\{([^}]*)}").matcher(text);
    assertThat(block.find()).as(declaration).isTrue();
    return block.group(1);
  }

  /** Where the compiler puts the members of a structure. */
  public Layout layout(String structure) {
    Map<String, Integer> offsets = new LinkedHashMap<>();
    int end = 0;
    int widest = 1;
    for (MatchResult member : MEMBER.matcher(block("struct " + structure)).results().toList()) {
      int size = sizeOf(member.group(1));
      int start = alignedTo(size, end);
      offsets.put(member.group(2), start);
      end = start + size * (member.group(3) == null ? 1 : Integer.parseInt(member.group(3)));
      widest = Math.max(widest, size);
    }
    return new Layout(offsets, alignedTo(widest, end));
  }

  /** The offsets of the members by their names, and the size of the whole. */
  public record Layout(Map<String, Integer> offsets, int size) {}

  private static int sizeOf(String type) {
    return switch (type) {
      case "u8" -> Byte.BYTES;
      case "u16", "s16" -> Short.BYTES;
      case "u32", "s32" -> Integer.BYTES;
      case "u64", "s64" -> Long.BYTES;
      default -> throw new AssertionError("the size of a " + type + " is not known here");
    };
  }

  private static int alignedTo(int size, int offset) {
    return (offset + size - 1) / size * size;
  }
}
