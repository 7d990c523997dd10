/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.kernel;

import dev.sennit.context.memory.Libc;
import dev.sennit.kernel.ring.EventRing;
import dev.sennit.kernel.ring.KernelEvent;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * How fast one thread reads a full ring and sums up every byte that was captured. The ring is a
 * file in memory with the layout of the kernel's, for no kernel fills one that fast.
 */
final class RingSpeed {
  private static final int SIZE = 8 << 20;
  private static final int PAGE = 4096;
  private static final int PAYLOAD = 256;
  private static final int RECORD = 8 + KernelEvent.HEADER_SIZE + PAYLOAD;
  private static final int CAPTURED = 36;
  private static final int EVENTS = SIZE / RECORD;
  private static final int ROUNDS = 100;
  private static final int ATTEMPTS = 7;

  private RingSpeed() {}

  /** Millions of events a second, the median of a few attempts. */
  static double measure() throws IOException {
    int fd = (int) Libc.memfdCreate("ring", Libc.MFD_CLOEXEC);
    double[] rates = new double[ATTEMPTS];
    try (RandomAccessFile file = new RandomAccessFile("/proc/self/fd/" + fd, "rw")) {
      file.setLength(2L * PAGE + 2L * SIZE);
      file.seek(PAGE);
      file.write(longs((long) EVENTS * RECORD));
      file.seek(2L * PAGE);
      file.write(records());
      byte[] buffer = new byte[PAYLOAD];
      long expected = checksum(new byte[PAYLOAD]);
      for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        long events = 0;
        long nanos = 0;
        for (int round = 0; round < ROUNDS; round++) {
          file.seek(0);
          file.write(longs(0));
          CRC32 sum = new CRC32();
          try (EventRing ring = new EventRing(fd, SIZE)) {
            long start = System.nanoTime();
            events +=
                ring.poll(
                    event -> {
                      sum.reset();
                      sum.update(buffer, 0, event.payload(buffer));
                      if (sum.getValue() != expected) {
                        throw new IllegalStateException("wrong bytes in the ring");
                      }
                    },
                    Integer.MAX_VALUE);
            nanos += System.nanoTime() - start;
          }
        }
        rates[attempt] = events * 1e3 / nanos;
      }
    } finally {
      Libc.close(fd);
    }
    Arrays.sort(rates);
    return rates[ATTEMPTS / 2];
  }

  private static long checksum(byte[] bytes) {
    CRC32 sum = new CRC32();
    sum.update(bytes);
    return sum.getValue();
  }

  private static byte[] records() {
    ByteBuffer records = ByteBuffer.allocate(EVENTS * RECORD).order(ByteOrder.nativeOrder());
    for (int i = 0; i < EVENTS; i++) {
      records.putInt(i * RECORD, KernelEvent.HEADER_SIZE + PAYLOAD);
      records.putInt(i * RECORD + 8 + CAPTURED, PAYLOAD);
    }
    return records.array();
  }

  private static byte[] longs(long value) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(value).array();
  }
}
