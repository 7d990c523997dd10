/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import static dev.sennit.correlation.parse.Ascii.digits;
import static dev.sennit.correlation.parse.Ascii.digitsEnd;
import static dev.sennit.correlation.parse.Ascii.isDigit;
import static dev.sennit.correlation.parse.Ascii.isLetter;

/**
 * Reads a time at the beginning of a text, in the forms that loggers use. The answer stays in
 * {@link #nanos} and {@link #end} until the next question.
 */
final class Times {
  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
  private static final String DAYS = "MonTueWedThuFriSatSun";

  private final Calendar calendar;

  /** The time in nanoseconds since 1970; 0 if it leaves out what {@code written} does not say. */
  long nanos;

  /** Where the time ends. */
  int end;

  /** Whether it has a date, or at least a day and a month. */
  boolean dated;

  private byte[] bytes = {};
  private int to;
  private int at;
  private long secondOfDay;
  private int fraction;

  Times(Calendar calendar) {
    this.calendar = calendar;
  }

  /** Whether a time begins at this place. */
  boolean read(byte[] text, int from, int limit, long written) {
    bytes = text;
    to = limit;
    at = from;
    nanos = 0;
    dated = true;
    if (limit - from < 8) {
      return false;
    }
    return isDigit(text[from]) ? beginsWithDigit(written) : beginsWithLetter(written);
  }

  private boolean beginsWithDigit(long written) {
    int from = at;
    int run = digitsEnd(bytes, from, Math.min(to, from + 20)) - from;
    if (from + run >= to) {
      return run >= 10 && epoch(from, run, from + run);
    }
    byte after = bytes[from + run];
    if (run == 4 && (after == '-' || after == '/')) {
      return dateFirst(from, after);
    }
    if ((run == 2 || run == 1) && after == ':') {
      dated = false;
      return timeOnly(written);
    }
    if (run == 2 && (after == '/' || after == '-' || after == ' ')) {
      return dayFirst(from, after);
    }
    if (run == 8 && after == 'T') {
      return compact(from);
    }
    return run >= 10 && epoch(from, run, from + run);
  }

  /** {@code 2026-11-15 18:02:40,123}, with a T or a blank, a dot or a comma, a zone or none. */
  private boolean dateFirst(int from, byte separator) {
    int year = digits(bytes, from, to, 4);
    int month = digits(bytes, from + 5, to, 2);
    int day = digits(bytes, from + 8, to, 2);
    if (to - from < 16 || bytes[from + 7] != separator) {
      return false;
    }
    byte joint = bytes[from + 10];
    if (joint != 'T' && joint != ' ' && joint != 't') {
      return false;
    }
    at = from + 11;
    return Calendar.isDate(year, month, day)
        && clock()
        && finish(Calendar.epochDay(year, month, day));
  }

  /** {@code 15/Nov/2026:18:02:40 +0100}, {@code 15-Nov-2026 18:02:40.123}. */
  private boolean dayFirst(int from, byte separator) {
    int day = digits(bytes, from, to, 2);
    int month = month(from + 3);
    int year = digits(bytes, from + 7, to, 4);
    if (to - from < 20 || bytes[from + 6] != separator) {
      return false;
    }
    byte joint = bytes[from + 11];
    if (joint != ' ' && joint != ':') {
      return false;
    }
    at = from + 12;
    return Calendar.isDate(year, month, day)
        && clock()
        && finish(Calendar.epochDay(year, month, day));
  }

  /** {@code 20261115T180240,123}. */
  private boolean compact(int from) {
    int year = digits(bytes, from, to, 4);
    int month = digits(bytes, from + 4, to, 2);
    int day = digits(bytes, from + 6, to, 2);
    int hour = digits(bytes, from + 9, to, 2);
    int minute = digits(bytes, from + 11, to, 2);
    int second = digits(bytes, from + 13, to, 2);
    if (!Calendar.isDate(year, month, day) || !isClock(hour, minute, second)) {
      return false;
    }
    secondOfDay = hour * 3600L + minute * 60L + second;
    at = from + 15;
    fraction();
    return finish(Calendar.epochDay(year, month, day));
  }

  private boolean timeOnly(long written) {
    if (!clock()) {
      return false;
    }
    end = at;
    nanos = written <= 0 ? 0 : calendar.nearestDay(secondOfDay, written) + fraction;
    return true;
  }

  /** Seconds with a fraction or not, or milli-, micro- or nanoseconds, by the number of digits. */
  private boolean epoch(int from, int run, int after) {
    if (run != 10 && run != 13 && run != 16 && run != 19) {
      return false;
    }
    end = after;
    nanos = Epoch.nanos(bytes, from, to);
    if (run == 10 && after + 1 < to && bytes[after] == '.' && isDigit(bytes[after + 1])) {
      end = digitsEnd(bytes, after + 1, to);
    }
    return nanos > 0;
  }

  private boolean beginsWithLetter(long written) {
    if (index(DAYS, at) >= 0) {
      at += 3;
      if (at < to && bytes[at] == ',') {
        at++;
      }
      if (at >= to || bytes[at] != ' ') {
        return false;
      }
      at++;
    }
    int month = month(at);
    if (month < 1 || at + 12 > to || bytes[at + 3] != ' ') {
      return false;
    }
    int dayAt = bytes[at + 4] == ' ' ? at + 5 : at + 4;
    int dayEnd = digitsEnd(bytes, dayAt, Math.min(to, dayAt + 3));
    int day = digits(bytes, dayAt, to, dayEnd - dayAt);
    if (dayEnd == dayAt || dayEnd + 2 >= to) {
      return false;
    }
    at = dayEnd;
    if (bytes[at] == ',') {
      return american(month, day);
    }
    if (bytes[at] != ' ') {
      return false;
    }
    at++;
    int year = digits(bytes, at, to, 4);
    if (year > 0 && at + 4 < to && bytes[at + 4] == ' ') {
      at += 5;
      return Calendar.isDate(year, month, day)
          && clock()
          && finish(Calendar.epochDay(year, month, day));
    }
    if (!clock()) {
      return false;
    }
    year = at < to && bytes[at] == ' ' ? digits(bytes, at + 1, to, 4) : -1;
    if (year > 0 && (at + 5 == to || !isDigit(bytes[at + 5]))) {
      at += 5;
      return Calendar.isDate(year, month, day) && finish(Calendar.epochDay(year, month, day));
    }
    return withoutYear(month, day, written);
  }

  /** {@code 1115 18:02:40.123456} as klog has it, whose letter was read before. */
  boolean readMonthDay(byte[] text, int from, int limit, long written) {
    bytes = text;
    to = limit;
    dated = true;
    int month = digits(text, from, limit, 2);
    int day = digits(text, from + 2, limit, 2);
    if (limit - from < 13 || text[from + 4] != ' ') {
      return false;
    }
    at = from + 5;
    return clock() && withoutYear(month, day, written);
  }

  private boolean withoutYear(int month, int day, long written) {
    if (!Calendar.isDate(2000, month, day)) {
      return false;
    }
    end = at;
    nanos = written <= 0 ? 0 : calendar.nearestYear(month, day, secondOfDay, written) + fraction;
    return true;
  }

  /** {@code Nov 15, 2026 6:02:40 PM}, from the comma on. */
  private boolean american(int month, int day) {
    int year = digits(bytes, at + 2, to, 4);
    if (bytes[at + 1] != ' ' || at + 7 >= to || bytes[at + 6] != ' ') {
      return false;
    }
    at += 7;
    if (!Calendar.isDate(year, month, day) || !clock()) {
      return false;
    }
    if (at + 2 < to && bytes[at] == ' ' && bytes[at + 2] == 'M') {
      boolean afternoon = bytes[at + 1] == 'P';
      long hour = secondOfDay / 3600;
      if (hour > 12 || (!afternoon && bytes[at + 1] != 'A')) {
        return false;
      }
      secondOfDay += (hour == 12 ? (afternoon ? 0 : -12) : (afternoon ? 12 : 0)) * 3600L;
      at += 3;
    }
    return finish(Calendar.epochDay(year, month, day));
  }

  /** {@code 18:02:40.123}; the seconds may be left out. */
  private boolean clock() {
    int hourEnd = digitsEnd(bytes, at, Math.min(to, at + 3));
    if (hourEnd == at || hourEnd >= to || bytes[hourEnd] != ':') {
      return false;
    }
    int hour = digits(bytes, at, to, hourEnd - at);
    int minute = digits(bytes, hourEnd + 1, to, 2);
    int second = 0;
    at = hourEnd + 3;
    if (at < to && bytes[at] == ':') {
      second = digits(bytes, at + 1, to, 2);
      at += 3;
    }
    if (!isClock(hour, minute, second)) {
      return false;
    }
    secondOfDay = hour * 3600L + minute * 60L + second;
    fraction();
    return true;
  }

  private static boolean isClock(int hour, int minute, int second) {
    return hour >= 0
        && hour < 24
        && minute >= 0
        && minute < 60
        && second >= 0
        && second <= 60; // a leap second
  }

  private void fraction() {
    fraction = 0;
    if (at + 1 >= to || (bytes[at] != '.' && bytes[at] != ',') || !isDigit(bytes[at + 1])) {
      return;
    }
    int unit = 100_000_000;
    for (at++; at < to && isDigit(bytes[at]); at++) {
      fraction += (bytes[at] - '0') * unit;
      unit /= 10;
    }
  }

  private boolean finish(long day) {
    long wall = day * 86_400 + secondOfDay;
    int zone = zone();
    long seconds = wall - (zone == LOCAL ? calendar.offset(wall) : zone);
    nanos = seconds * 1_000_000_000 + fraction;
    end = at;
    return true;
  }

  private static final int LOCAL = Integer.MIN_VALUE;

  /** The offset in seconds that is said here, perhaps after a blank. */
  private int zone() {
    if (at >= to) {
      return LOCAL;
    }
    int sign = bytes[at] == ' ' ? at + 1 : at;
    if (bytes[at] == 'Z' || bytes[at] == 'z') {
      at++;
      return 0;
    }
    if (sign + 3 <= to && (isText(sign, "UTC") || isText(sign, "GMT"))) {
      at = sign + 3;
      return 0;
    }
    if (sign + 2 >= to || (bytes[sign] != '+' && bytes[sign] != '-')) {
      return LOCAL;
    }
    int hours = digits(bytes, sign + 1, to, 2);
    int minutesAt = sign + 3 < to && bytes[sign + 3] == ':' ? sign + 4 : sign + 3;
    int minutes = digits(bytes, minutesAt, to, 2);
    int after = minutes < 0 ? sign + 3 : minutesAt + 2;
    boolean blankBefore = sign > at;
    if (hours < 0 || hours > 18 || (after < to && isDigit(bytes[after]))) {
      return LOCAL;
    }
    if (minutes < 0 && (blankBefore || minutesAt != sign + 3)) {
      return LOCAL;
    }
    at = after;
    int offset = hours * 3600 + Math.max(0, minutes) * 60;
    return bytes[sign] == '-' ? -offset : offset;
  }

  private boolean isText(int from, String text) {
    return Ascii.startsWith(bytes, from, to, text)
        && (from + text.length() == to || !isLetter(bytes[from + text.length()]));
  }

  private int month(int from) {
    int index = index(MONTHS, from);
    return index < 0 ? -1 : index + 1;
  }

  private int index(String names, int from) {
    if (from + 3 > to) {
      return -1;
    }
    for (int i = 0; i < names.length(); i += 3) {
      if (bytes[from] == names.charAt(i)
          && bytes[from + 1] == names.charAt(i + 1)
          && bytes[from + 2] == names.charAt(i + 2)) {
        return i / 3;
      }
    }
    return -1;
  }
}
