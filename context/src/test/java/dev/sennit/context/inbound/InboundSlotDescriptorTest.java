/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InboundSlotDescriptorTest {
  @Test
  void fieldsAreWhereTheProgramsPutThem() {
    assertThat(InboundSlotDescriptor.SEQUENCE_OFFSET).isZero();
    assertThat(InboundSlotDescriptor.TID_OFFSET).isEqualTo(8);
    assertThat(InboundSlotDescriptor.PID_NAMESPACE_OFFSET).isEqualTo(12);
    assertThat(InboundSlotDescriptor.TRACE_ID_OFFSET).isEqualTo(16);
    assertThat(InboundSlotDescriptor.SPAN_ID_OFFSET).isEqualTo(32);
    assertThat(InboundSlotDescriptor.FLAGS_OFFSET).isEqualTo(40);
    assertThat(InboundSlotDescriptor.OPEN_OFFSET).isEqualTo(41);
    assertThat(InboundSlotDescriptor.SHARED_OFFSET).isEqualTo(42);
    assertThat(InboundSlotDescriptor.SINCE_OFFSET).isEqualTo(48);
    assertThat(InboundSlotDescriptor.SLOT_LENGTH).isEqualTo(64);
    assertThat(InboundSlotDescriptor.CAPACITY).isEqualTo(65_536);
    assertThat(InboundSlotDescriptor.LEASE_SLOT).isEqualTo(64 * 65_536);
  }

  @Test
  void everyNumberOfAThreadHasASlot() {
    assertThat(InboundSlotDescriptor.slotOffset(1)).isEqualTo(64);
    assertThat(InboundSlotDescriptor.slotOffset(65_535)).isEqualTo(65_535 * 64);
    assertThat(InboundSlotDescriptor.slotOffset(65_537)).isEqualTo(64);
    assertThat(InboundSlotDescriptor.slotOffset(-1)).isEqualTo(65_535 * 64);
  }
}
