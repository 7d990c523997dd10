/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The import map of the page, which tells browsers where Lit is. It must stand in the page itself,
 * where the policy allows scripts only by their hash.
 */
final class ImportMap {
  private static final Pattern SCRIPT =
      Pattern.compile("<script type=\"importmap\">(.*?)</script>", Pattern.DOTALL);

  private ImportMap() {}

  /** The hash as a Content-Security-Policy has it. */
  static String hash(byte[] page) {
    Matcher script = SCRIPT.matcher(new String(page, UTF_8));
    if (!script.find()) {
      throw new IllegalArgumentException("the page has no import map");
    }
    byte[] hash = PageFiles.sha256(script.group(1).getBytes(UTF_8));
    return "sha256-" + Base64.getEncoder().encodeToString(hash);
  }
}
