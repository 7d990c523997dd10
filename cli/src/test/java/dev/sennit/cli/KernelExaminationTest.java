/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sennit.kernel.KernelFeatures;
import org.junit.jupiter.api.Test;

class KernelExaminationTest {
  @Test
  void aMissingLibraryComesWithTheLineToRun() {
    Finding finding =
        KernelExamination.findings(new KernelFeatures(false, "missing", false, false, false))
            .getFirst();
    assertThat(finding.ok()).isFalse();
    assertThat(finding.remedy()).contains("apt-get install -y libbpf1");
  }

  @Test
  void programsThatAreRefusedAreMissingWithTheReason() {
    assertThat(
            KernelExamination.findings(
                new KernelFeatures(true, "no permission", false, false, false)))
        .extracting(Finding::name, Finding::ok, Finding::found)
        .contains(tuple("programs", false, "no permission"));
  }

  @Test
  void tlsTakesUprobesAndTheRightToThem() {
    assertThat(KernelExamination.tls(true, true).ok()).isTrue();
    assertThat(KernelExamination.tls(true, false).found()).endsWith("no CAP_SYS_ADMIN");
    assertThat(KernelExamination.tls(true, false).ok()).isFalse();
    assertThat(KernelExamination.tls(false, true).found()).endsWith("the kernel has no uprobes");
    assertThat(KernelExamination.tls(false, true).ok()).isFalse();
  }
}
