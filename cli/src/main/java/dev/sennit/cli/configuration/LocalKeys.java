/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.configuration;

import java.time.Duration;

/** The keys of what is kept, received and shown on this host; they are read at the start only. */
public final class LocalKeys {
  static final KeyList LIST = new KeyList();

  private static final long MIB = 1 << 20;
  private static final long GIB = 1 << 30;

  public static final Key<Boolean> STORE_ENABLED =
      LIST.flag(
          "store.enabled",
          true,
          "Whether what is seen is kept on this host, for the page and for sennit sql. This section"
              + " and the next two are read at the start only.");

  public static final Key<String> STORE_FILE =
      LIST.open(
          "store.file",
          Scalars.TEXT,
          "/var/lib/sennit/sennit.duckdb",
          "Where. Otherwise SENNIT_STORE, else a place of the user's own.");

  public static final Key<Long> STORE_SIZE =
      LIST.key(
          "store.max_size",
          Scalars.size(128 * MIB, 1024 * GIB),
          2 * GIB,
          "How large it may become; the oldest goes first.");

  public static final Key<Duration> STORE_AGE =
      LIST.key(
          "store.max_age",
          Scalars.duration(Duration.ofMinutes(1), Duration.ofDays(365)),
          Duration.ofDays(7),
          "How old what is in it may become.");

  public static final Key<String> PAGE_LISTEN =
      LIST.key(
          "page.listen",
          Scalars.LISTEN,
          "127.0.0.1:7357",
          "Where the page is shown. Elsewhere than on this host it asks for a token, which is"
              + " logged. If the default is taken, any free port.");

  public static final Key<String> RECEIVE_HTTP =
      LIST.key(
          "receive.http",
          Scalars.LISTEN,
          "127.0.0.1:4318",
          "Where OTLP is received over HTTP, from the SDKs of applications and from Sennit's own"
              + " agents. If the default is taken, any free port.");

  public static final Key<String> RECEIVE_GRPC =
      LIST.key(
          "receive.grpc",
          Scalars.LISTEN,
          "127.0.0.1:4317",
          "Where OTLP is received over gRPC, likewise.");

  private LocalKeys() {}
}
