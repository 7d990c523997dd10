/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessContextHeaderTest {
  @Test
  void fieldsAreWhereTheSpecificationPutsThem() {
    assertThat(ProcessContextHeader.SIGNATURE_OFFSET).isZero();
    assertThat(ProcessContextHeader.VERSION_OFFSET).isEqualTo(8);
    assertThat(ProcessContextHeader.PAYLOAD_SIZE_OFFSET).isEqualTo(12);
    assertThat(ProcessContextHeader.PUBLISHED_AT_OFFSET).isEqualTo(16);
    assertThat(ProcessContextHeader.PAYLOAD_ADDRESS_OFFSET).isEqualTo(24);
    assertThat(ProcessContextHeader.LENGTH).isEqualTo(32);
    assertThat(ProcessContextHeader.VERSION).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[anon_shmem:OTEL_CTX]",
        "[anon:OTEL_CTX]",
        "/memfd:OTEL_CTX",
        "/memfd:OTEL_CTX (deleted)"
      })
  void theseNamesMayHoldARecord(String name) {
    assertThat(ProcessContextHeader.isMappingName(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "[heap]", "OTEL_CTX", "[anon:DD_OTEL_CTX]", "/tmp/memfd:OTEL_CTX", "/memfd:X"})
  void theseDoNot(String name) {
    assertThat(ProcessContextHeader.isMappingName(name)).isFalse();
  }
}
