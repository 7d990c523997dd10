/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.profiles;

/** Names as a recording has them: long, and alike at the start. */
final class Names {
  private static final String[] PACKAGES = {
    "java.util.concurrent", "com.acme.shop.checkout", "org.springframework.web.servlet", "io.netty"
  };
  private static final String[] VERBS = {"run", "handleRequest", "get", "lambda$process$3"};

  private Names() {}

  /** The n-th method, with its class. */
  static String method(int n) {
    return className(n) + "." + VERBS[n / 4 % 4] + (n < 16 ? "" : n / 16);
  }

  static String className(int n) {
    return PACKAGES[n % 4] + ".Worker" + n / 20;
  }
}
