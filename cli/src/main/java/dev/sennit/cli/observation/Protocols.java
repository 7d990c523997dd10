/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.tracing.protocol.Protocol;
import dev.sennit.tracing.protocol.dns.DnsProtocol;
import dev.sennit.tracing.protocol.http1.Http1Protocol;
import dev.sennit.tracing.protocol.http2.Http2Protocol;
import dev.sennit.tracing.protocol.postgres.PostgresProtocol;
import dev.sennit.tracing.protocol.redis.RedisProtocol;
import java.util.List;

/** The protocols that are understood, those first that are told apart most clearly. */
public final class Protocols {
  private Protocols() {}

  public static List<Protocol> all() {
    return List.of(
        new Http2Protocol(),
        new Http1Protocol(),
        new PostgresProtocol(),
        new RedisProtocol(),
        new DnsProtocol());
  }
}
