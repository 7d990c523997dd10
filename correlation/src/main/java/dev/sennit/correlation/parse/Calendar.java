/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;

/**
 * Days and years of a time that leaves them out, and the offset of one that has no zone. It
 * remembers the last offset, for lines come in the order of time.
 */
final class Calendar {
  private static final long NANOS = 1_000_000_000;
  private static final long DAY = 86_400;

  /** Offsets change at such marks and nowhere between them. */
  private static final long QUARTER = 900;

  private final ZoneRules rules;
  private long quarter = Long.MIN_VALUE;
  private int offset;

  Calendar(ZoneId zone) {
    rules = zone.getRules();
  }

  static boolean isDate(int year, int month, int day) {
    return year >= 1970
        && year < 2262
        && month >= 1
        && month <= 12
        && day >= 1
        && day <= lengthOf(month, year);
  }

  private static int lengthOf(int month, int year) {
    return switch (month) {
      case 2 -> year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
      case 4, 6, 9, 11 -> 30;
      default -> 31;
    };
  }

  /** Days since 1970, counted in years that begin in March so that the odd day is the last one. */
  static long epochDay(int year, int month, int day) {
    int march = month > 2 ? month - 3 : month + 9;
    int from = month > 2 ? year : year - 1;
    long dayOfYear = (153L * march + 2) / 5 + day - 1;
    return 365L * from + from / 4 - from / 100 + from / 400 + dayOfYear - 719_468;
  }

  /** How far the clocks of this place are ahead of UTC when they show this. */
  int offset(long wallSecond) {
    long now = Math.floorDiv(wallSecond, QUARTER);
    if (now != quarter) {
      quarter = now;
      offset =
          rules
              .getOffset(LocalDateTime.ofEpochSecond(wallSecond, 0, ZoneOffset.UTC))
              .getTotalSeconds();
    }
    return offset;
  }

  /** The moment at which the clocks show this, on the day on which it is nearest to another. */
  long nearestDay(long secondOfDay, long nanos) {
    long second = nanos / NANOS;
    long today = Math.floorDiv(second + offset(second), DAY);
    long best = utc(today * DAY + secondOfDay);
    for (long day = today - 1; day <= today + 1; day += 2) {
      best = nearer(utc(day * DAY + secondOfDay), best, second);
    }
    return best * NANOS;
  }

  /** The same in the year in which it is nearest to another moment. */
  long nearestYear(int month, int day, long secondOfDay, long nanos) {
    long second = nanos / NANOS;
    int year = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC).getYear();
    long best = 0;
    for (int y = year - 1; y <= year + 1; y++) {
      if (isDate(y, month, day)) {
        long candidate = utc(epochDay(y, month, day) * DAY + secondOfDay);
        best = best == 0 ? candidate : nearer(candidate, best, second);
      }
    }
    return best * NANOS;
  }

  private long utc(long wallSecond) {
    return wallSecond - offset(wallSecond);
  }

  private static long nearer(long one, long other, long to) {
    return Math.abs(one - to) < Math.abs(other - to) ? one : other;
  }
}
