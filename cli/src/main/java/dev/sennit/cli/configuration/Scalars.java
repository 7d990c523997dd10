/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.configuration;

import dev.sennit.kernel.LogPattern;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** Values that are one word. */
final class Scalars {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h)");
  private static final Pattern SIZE = Pattern.compile("(\\d{1,9})(B|KiB|MiB|GiB)?");
  private static final Pattern ADDRESS =
      Pattern.compile("(?:[A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+]):(\\d{1,5})");
  private static final Pattern SIMPLE = Pattern.compile("[A-Za-z/][A-Za-z0-9_./:-]*");

  private Scalars() {}

  /**
   * @param parser answers null for what it does not take
   * @param quotable whether the word may stand in quotes, which makes a text of it
   */
  private record Scalar<T>(
      String allowed,
      boolean quotable,
      Function<String, @Nullable T> parser,
      Function<T, String> printer)
      implements Type<T> {
    @Override
    public T read(Node node) throws WrongValueException {
      if (node instanceof ScalarNode scalar
          && !Nodes.isNothing(node)
          && (quotable || scalar.isPlain())) {
        T value = parser.apply(scalar.getValue());
        if (value != null) {
          return value;
        }
      }
      throw WrongValueException.of(node, this);
    }

    @Override
    public String print(T value) {
      return printer.apply(value);
    }
  }

  static final Type<Boolean> FLAG =
      new Scalar<>(
          "true or false",
          false,
          word ->
              switch (word) {
                case "true" -> true;
                case "false" -> false;
                default -> null;
              },
          String::valueOf);

  static final Type<Double> RATIO =
      new Scalar<>("a number from 0 to 1", false, Scalars::ratio, Scalars::printRatio);

  static final Type<String> TEXT =
      new Scalar<>("text", true, word -> word.isBlank() ? null : word, Scalars::printText);

  static final Type<String> ABSOLUTE =
      new Scalar<>(
          "a path that begins with /",
          true,
          word -> word.startsWith("/") ? word : null,
          Scalars::printText);

  static final Type<LogPattern> LOG_PATTERN =
      new Scalar<>(
          "a path that begins with / or *, with one * at most and up to 64 bytes on either side",
          true,
          Scalars::logPattern,
          pattern -> printText(pattern.toString()));

  static final Type<String> PATTERN =
      new Scalar<>(
          "a regular expression", true, word -> isPattern(word) ? word : null, Scalars::printText);

  /** Where to listen: a host and a port, or nowhere. */
  static final Type<String> LISTEN =
      new Scalar<>(
          "an address such as 127.0.0.1:9464, or off",
          true,
          word -> word.equals("off") || isAddress(word) ? word : null,
          word -> word.startsWith("[") ? printText(word) : word);

  static Type<Integer> whole(int least, int most) {
    return new Scalar<>(
        "a whole number from " + least + " to " + most,
        false,
        word -> {
          if (!word.matches("\\d{1,9}")) {
            return null;
          }
          int number = Integer.parseInt(word);
          return number < least || number > most ? null : number;
        },
        String::valueOf);
  }

  static Type<Duration> duration(Duration least, Duration most) {
    return new Scalar<>(
        "a duration such as 500ms, 30s or 5m, from "
            + printDuration(least)
            + " to "
            + printDuration(most),
        true,
        word -> {
          Duration duration = parseDuration(word);
          return duration == null || duration.compareTo(least) < 0 || duration.compareTo(most) > 0
              ? null
              : duration;
        },
        Scalars::printDuration);
  }

  static Type<Long> size(long least, long most) {
    return new Scalar<>(
        "a size such as 512KiB or 64MiB, from " + printSize(least) + " to " + printSize(most),
        true,
        word -> {
          Long size = parseSize(word);
          return size == null || size < least || size > most ? null : size;
        },
        Scalars::printSize);
  }

  static Type<Long> powerOfTwo(long least, long most) {
    return new Scalar<>(
        "a power of two from " + printSize(least) + " to " + printSize(most),
        true,
        word -> {
          Long size = parseSize(word);
          return size == null || size < least || size > most || Long.bitCount(size) != 1
              ? null
              : size;
        },
        Scalars::printSize);
  }

  static Type<String> choice(String... words) {
    List<String> all = List.of(words);
    String allowed =
        all.size() == 1
            ? all.getFirst()
            : String.join(", ", all.subList(0, all.size() - 1)) + " or " + all.getLast();
    return new Scalar<>(
        allowed, true, word -> all.contains(word) ? word : null, Function.identity());
  }

  private static @Nullable LogPattern logPattern(String word) {
    try {
      return LogPattern.of(word);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static boolean isPattern(String word) {
    try {
      return !Pattern.compile(word).pattern().isEmpty();
    } catch (PatternSyntaxException e) {
      return false;
    }
  }

  private static boolean isAddress(String word) {
    Matcher matcher = ADDRESS.matcher(word);
    return matcher.matches() && Integer.parseInt(matcher.group(1)) <= 0xFFFF;
  }

  private static @Nullable Double ratio(String word) {
    if (!word.matches("[0-9.eE+-]{1,40}")) {
      return null;
    }
    try {
      double ratio = Double.parseDouble(word);
      return ratio >= 0 && ratio <= 1 ? ratio : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static String printRatio(double ratio) {
    return BigDecimal.valueOf(ratio).stripTrailingZeros().toPlainString();
  }

  private static @Nullable Duration parseDuration(String word) {
    Matcher matcher = DURATION.matcher(word);
    if (!matcher.matches()) {
      return null;
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      default -> Duration.ofHours(amount);
    };
  }

  static String printDuration(Duration duration) {
    long millis = duration.toMillis();
    if (millis == 0 || millis % 1000 != 0) {
      return millis + "ms";
    }
    if (millis % Duration.ofHours(1).toMillis() == 0) {
      return duration.toHours() + "h";
    }
    return millis % Duration.ofMinutes(1).toMillis() == 0
        ? duration.toMinutes() + "m"
        : duration.toSeconds() + "s";
  }

  private static @Nullable Long parseSize(String word) {
    Matcher matcher = SIZE.matcher(word);
    if (!matcher.matches()) {
      return null;
    }
    String unit = matcher.group(2) == null ? "B" : matcher.group(2);
    return Long.parseLong(matcher.group(1))
        << (10 * List.of("B", "KiB", "MiB", "GiB").indexOf(unit));
  }

  static String printSize(long bytes) {
    List<String> units = List.of("", "KiB", "MiB", "GiB");
    int unit = 0;
    long amount = bytes;
    while (amount != 0 && amount % 1024 == 0 && unit < units.size() - 1) {
      amount /= 1024;
      unit++;
    }
    return amount + units.get(unit);
  }

  /** In quotes, unless it cannot be taken for anything but a text. */
  static String printText(String text) {
    return SIMPLE.matcher(text).matches() && !text.endsWith(":")
        ? text
        : "'" + text.replace("'", "''") + "'";
  }
}
