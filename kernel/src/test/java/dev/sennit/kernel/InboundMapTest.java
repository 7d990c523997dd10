/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.inbound.InboundSlotDescriptor;
import dev.sennit.context.inbound.InboundSlots;
import dev.sennit.context.memory.Errno;
import dev.sennit.context.memory.Libc;
import dev.sennit.testing.Requires;
import java.io.IOException;
import org.junit.jupiter.api.Test;

@Requires(root = true)
class InboundMapTest {
  @Test
  void itCanBeMappedForReading() throws IOException {
    try (InboundMap map = InboundMap.create()) {
      assertThat(InboundSlots.map(map.fd()).sequence(1)).isZero();
    }
  }

  @Test
  void itCannotBeMappedForWriting() {
    try (InboundMap map = InboundMap.create()) {
      assertThat(
              Libc.mmap(
                  0,
                  InboundSlotDescriptor.LENGTH,
                  Libc.PROT_READ | Libc.PROT_WRITE,
                  Libc.MAP_SHARED,
                  map.fd()))
          .isEqualTo(-Errno.EPERM);
    }
  }
}
