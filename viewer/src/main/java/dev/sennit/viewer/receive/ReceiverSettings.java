/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Where OTLP is received, and within which limits.
 *
 * @param http for OTLP over HTTP; port 0 for any that is free
 * @param grpc for OTLP over gRPC, likewise
 */
public record ReceiverSettings(
    InetSocketAddress http, InetSocketAddress grpc, ReceiverLimits limits) {

  /**
   * The ports that OpenTelemetry's exporters use when they are told nothing, for this host only.
   */
  public static ReceiverSettings usual() {
    return onLoopback(4318, 4317);
  }

  public static ReceiverSettings onLoopback(int httpPort, int grpcPort) {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    return new ReceiverSettings(
        new InetSocketAddress(loopback, httpPort),
        new InetSocketAddress(loopback, grpcPort),
        ReceiverLimits.usual());
  }

  public ReceiverSettings with(ReceiverLimits newLimits) {
    return new ReceiverSettings(http, grpc, newLimits);
  }
}
