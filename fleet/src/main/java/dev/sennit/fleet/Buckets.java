/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * Which partition something is at home in. Records between the steps hold much that belongs to one
 * partition, so that their key is the number of the partition itself.
 */
final class Buckets {
  private Buckets() {}

  static int of(long hash, int buckets) {
    long mixed = (hash ^ (hash >>> 32)) * 0x9E3779B97F4A7C15L;
    return (int) Math.floorMod(mixed >>> 16, (long) buckets);
  }

  /** By the end that both sides of a connection know under one name, if they have one in common. */
  static int ofClientEnd(InetSocketAddress client, int buckets) {
    return of(31L * Arrays.hashCode(client.getAddress().getAddress()) + client.getPort(), buckets);
  }

  static <V> StreamPartitioner<Integer, V> partitioner() {
    return (topic, bucket, value, partitions) -> Optional.of(Set.of(bucket));
  }
}
