/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.tracing.protocol.Protocol;
import dev.sennit.tracing.protocol.dns.DnsProtocol;
import dev.sennit.tracing.protocol.http1.Http1Protocol;
import dev.sennit.tracing.protocol.http2.Http2Protocol;
import dev.sennit.tracing.protocol.mongodb.MongoProtocol;
import dev.sennit.tracing.protocol.mysql.MysqlProtocol;
import dev.sennit.tracing.protocol.postgres.PostgresProtocol;
import dev.sennit.tracing.protocol.redis.RedisProtocol;
import java.util.List;
import java.util.Set;

/** The protocols that are understood, those first that are told apart most clearly. */
public final class Protocols {
  /** The names of all, as they stand in exchanges. */
  public static final Set<String> NAMES =
      Set.of("http", "grpc", "postgres", "mysql", "redis", "mongodb", "dns");

  private static final String GRPC = "grpc";

  private Protocols() {}

  public static List<Protocol> all() {
    return all(false);
  }

  private static List<Protocol> all(boolean guessRoutes) {
    return List.of(
        new Http2Protocol(guessRoutes),
        new Http1Protocol(guessRoutes),
        new PostgresProtocol(),
        new MysqlProtocol(),
        new MongoProtocol(),
        new RedisProtocol(),
        new DnsProtocol());
  }

  /**
   * Those that are needed for exchanges of some names. They may make exchanges of others, too: gRPC
   * is found in HTTP/2.
   *
   * @param guessRoutes whether those of HTTP get a guess of the route
   */
  static List<Protocol> named(Set<String> names, boolean guessRoutes) {
    return all(guessRoutes).stream()
        .filter(
            each ->
                names.contains(each.name())
                    || (each instanceof Http2Protocol && names.contains(GRPC)))
        .toList();
  }
}
