/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet.trial;

import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import java.util.SplittableRandom;

/** A host with one service, a clock of its own, and addresses. */
final class GeneratedHost {
  private static final long MOST_SKEW = 5_000_000;
  private static final int FIRST_PORT = 20_000;
  private static final int PORTS = 45_000;

  final int number;
  final String address;

  /** What others call it by who reach it through address translation. */
  final String virtualAddress;

  /** By how much its clock is ahead, in nanoseconds. */
  final long skew;

  final Resource resource;
  private int ports;

  GeneratedHost(int number, SplittableRandom random) {
    this.number = number;
    String rest = (number >> 8) + "." + (number & 255);
    address = "10.1." + rest;
    virtualAddress = "10.96." + rest;
    skew = random.nextLong(-MOST_SKEW, MOST_SKEW + 1);
    resource =
        Resource.newBuilder()
            .addAttributes(text("service.name", "service-" + number))
            .addAttributes(text("host.name", "host-" + number))
            .addAttributes(text("service.version", "1.0.0"))
            .build();
  }

  /** As long as a connection lives, no other has its port. */
  int port() {
    return FIRST_PORT + ports++ % PORTS;
  }

  static KeyValue text(String key, String value) {
    return KeyValue.newBuilder()
        .setKey(key)
        .setValue(AnyValue.newBuilder().setStringValue(value))
        .build();
  }

  static KeyValue number(String key, long value) {
    return KeyValue.newBuilder()
        .setKey(key)
        .setValue(AnyValue.newBuilder().setIntValue(value))
        .build();
  }
}
