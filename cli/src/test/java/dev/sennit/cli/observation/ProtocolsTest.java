/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.tracing.protocol.Protocol;
import dev.sennit.tracing.protocol.http1.Http1Protocol;
import dev.sennit.tracing.protocol.http2.Http2Protocol;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Protocols by the names that are switched on. */
class ProtocolsTest {
  @Test
  void allAreNamed() {
    assertThat(Protocols.NAMES).containsAll(Protocols.all().stream().map(Protocol::name).toList());
    assertThat(Protocols.named(Protocols.NAMES, false)).hasSameSizeAs(Protocols.all());
    assertThat(Protocols.named(Set.of(), false)).isEmpty();
  }

  @Test
  void grpcIsFoundInHttp2() {
    assertThat(types(Set.of("grpc"))).containsExactly(Http2Protocol.class);
    assertThat(types(Set.of("http"))).containsExactly(Http2Protocol.class, Http1Protocol.class);
  }

  private static List<Class<?>> types(Set<String> names) {
    return Protocols.named(names, true).stream().<Class<?>>map(Object::getClass).toList();
  }
}
