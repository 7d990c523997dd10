/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import static dev.sennit.correlation.parse.Ascii.wordEnd;

import org.jspecify.annotations.Nullable;

/**
 * {@code 2026-11-15T18:02:40.123456789Z main ERROR message}, which Log4j 2 writes when nobody has
 * configured it. Only after a time as exact as that, for elsewhere the two words may be a sentence.
 */
final class Log4jStatusLayout implements Layout {
  private static final int DATE = 10;
  private static final int LENGTH_OF_TIME = 27;

  @Override
  public boolean read(Line line, Draft draft) {
    byte[] bytes = line.bytes;
    int thread = line.timeEnd + 1;
    if (!line.timed
        || line.timeEnd - line.from < LENGTH_OF_TIME
        || bytes[line.from + DATE] != 'T'
        || thread >= line.end) {
      return false;
    }
    int threadEnd = wordEnd(bytes, thread, line.end);
    int level = Math.min(line.end, threadEnd + 1);
    int levelEnd = wordEnd(bytes, level, line.end);
    @Nullable Level known = Level.of(bytes, level, levelEnd);
    if (known == null
        || !Ascii.isUpper(bytes[level])
        || !Ascii.isLetter(bytes[thread])
        || Level.of(bytes, thread, threadEnd) != null) {
      return false;
    }
    draft.time = line.time;
    draft.level(known);
    draft.putName("thread.name", bytes, thread, threadEnd);
    int body = Math.min(line.end, levelEnd + 1);
    Mentions.find(bytes, body, line.end, draft);
    draft.body(bytes, body, line.to);
    return true;
  }
}
