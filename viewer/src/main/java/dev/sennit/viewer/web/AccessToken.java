/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** A secret that opens the page to whoever is not on this host. */
public final class AccessToken {
  private static final int BYTES = 32;

  private final String text;

  private AccessToken(String text) {
    this.text = text;
  }

  public static AccessToken random() {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return new AccessToken(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /** In a time that does not tell how much of it is right. */
  boolean matches(@Nullable String offered) {
    return offered != null && MessageDigest.isEqual(text.getBytes(UTF_8), offered.getBytes(UTF_8));
  }

  /** The secret itself, as it stands in a link. */
  String text() {
    return text;
  }

  /** Without the secret, which has no place in a log. */
  @Override
  public String toString() {
    return "AccessToken";
  }
}
