/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The forms that values of settings have. What is wrong is said as the rest of a sentence that
 * begins with the setting.
 */
final class SettingValues {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h|d)?");
  private static final Pattern BYTES = Pattern.compile("(\\d{1,9})\\s*(B|KiB|MiB|GiB)?");

  /** RFC 9110, section 5.6.2. */
  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

  /** Headers that the protocols set themselves, and those that HTTP/2 does not know. */
  private static final Set<String> RESERVED =
      Set.of(
          "connection",
          "content-encoding",
          "content-length",
          "content-type",
          "host",
          "keep-alive",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private SettingValues() {}

  /** Milliseconds, or a number with a unit, as OpenTelemetry's Java SDK takes it. */
  static Duration duration(String value) {
    Matcher matcher = DURATION.matcher(value);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("is not a time such as 10000 (milliseconds) or 10s");
    }
    String unit = matcher.group(2) == null ? "ms" : matcher.group(2);
    return Duration.of(
        Long.parseLong(matcher.group(1)),
        switch (unit) {
          case "s" -> ChronoUnit.SECONDS;
          case "m" -> ChronoUnit.MINUTES;
          case "h" -> ChronoUnit.HOURS;
          case "d" -> ChronoUnit.DAYS;
          default -> ChronoUnit.MILLIS;
        });
  }

  static long bytes(String value) {
    Matcher matcher = BYTES.matcher(value);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("is not a size such as 512KiB or 100MiB");
    }
    String unit = matcher.group(2) == null ? "B" : matcher.group(2);
    return Long.parseLong(matcher.group(1))
        << switch (unit) {
          case "KiB" -> 10;
          case "MiB" -> 20;
          case "GiB" -> 30;
          default -> 0;
        };
  }

  static Path path(String value) {
    try {
      return Path.of(value);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("is not a path: " + e.getReason(), e);
    }
  }

  static URI url(String value) {
    URI uri;
    try {
      uri = new URI(value);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("is not a URL: " + e.getReason(), e);
    }
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw new IllegalArgumentException("is not a URL such as http://localhost:4318");
    }
    if (uri.getHost() == null || uri.getPort() > 0xFFFF) {
      throw new IllegalArgumentException("is a URL without a host or with a port that is none");
    }
    if (uri.getRawUserInfo() != null) {
      throw new IllegalArgumentException("has a user in it; credentials go into headers");
    }
    return uri;
  }

  /**
   * {@code name=value,name=value}, with values percent-encoded: the form of W3C Baggage without
   * properties, as the OTLP exporter specification has it.
   */
  static Map<String, String> headers(String value) {
    Map<String, String> headers = new LinkedHashMap<>();
    int number = 0;
    for (String entry : value.split(",", -1)) {
      number++;
      if (entry.isBlank()) {
        continue;
      }
      int equals = entry.indexOf('=');
      String name = equals < 0 ? "" : entry.substring(0, equals).strip().toLowerCase(Locale.ROOT);
      if (!TOKEN.matcher(name).matches()) {
        throw new IllegalArgumentException("has an entry, number " + number + ", not NAME=VALUE");
      }
      if (RESERVED.contains(name)) {
        throw new IllegalArgumentException("has a header " + name + ", which is not for settings");
      }
      String text;
      try {
        text = PercentEncoding.decode(entry.substring(equals + 1).strip());
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("has a header " + name + " where " + e.getMessage(), e);
      }
      if (text.chars().anyMatch(c -> c < ' ' || c > '~')) {
        throw new IllegalArgumentException(
            "has a header " + name + " with characters other than those of printable ASCII");
      }
      headers.put(name, text);
    }
    return headers;
  }
}
