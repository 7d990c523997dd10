/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostExaminationTest {
  private static final long ALL = -1;

  @Test
  void capabilitiesAreReadFromTheStatusOfTheProcess() {
    String status = "Name:\tjava\nCapPrm:\t0000000000000000\nCapEff:\t000001ffffffffff\n";
    assertThat(HostExamination.effectiveCapabilities(status)).isEqualTo(0x1ffffffffffL);
    assertThat(HostExamination.effectiveCapabilities("")).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "'', true, true",
    "0, true, true",
    "1, false, true",
    "2, false, true",
    "3, false, false"
  })
  void yamaDecidesWhoseMemoryMayBeRead(String scope, boolean plain, boolean capable) {
    assertThat(HostExamination.ptraceScope(scope, 0).ok()).isEqualTo(plain);
    assertThat(HostExamination.ptraceScope(scope, ALL).ok()).isEqualTo(capable);
  }

  @Test
  void whatIsMissingComesWithTheLineToRun() {
    assertThat(HostExamination.ptraceScope("1", 0).remedy())
        .endsWith("sysctl kernel.yama.ptrace_scope=0");
    assertThat(HostExamination.mount("", "nodev\tbpf\n", "bpf", "/sys/fs/bpf").remedy())
        .endsWith("mount -t bpf bpf /sys/fs/bpf");
  }

  @Test
  void mountsAreFoundByTheirTypeWhereverTheyAre() {
    String mounts =
        """
        24 30 0:22 / /proc rw,nosuid shared:12 - proc proc rw
        30 1 8:1 / / rw,relatime shared:1 - ext4 /dev/root rw
        35 24 0:31 / /sys/fs/cgroup/unified rw shared:10 master:3 - cgroup2 cgroup2 rw
        """;
    assertThat(HostExamination.mount(mounts, "", "cgroup2", "/x").found())
        .isEqualTo("on /sys/fs/cgroup/unified");
    assertThat(HostExamination.mount(mounts, "", "cgroup", "/x").ok()).isFalse();
    assertThat(HostExamination.mount(mounts, "", "tracefs", "/x").found())
        .isEqualTo("not known to this kernel");
  }

  @Test
  void lockdownIsTheMarkedState() {
    assertThat(HostExamination.lockdown("[none] integrity confidentiality").found())
        .isEqualTo("none");
    assertThat(HostExamination.lockdown("none [integrity] confidentiality").ok()).isTrue();
    assertThat(HostExamination.lockdown("none integrity [confidentiality]").ok()).isFalse();
    assertThat(HostExamination.lockdown("").ok()).isTrue();
  }

  @Test
  void aCapabilityThatIsMissingIsNamed() {
    assertThat(HostExamination.tracingCapabilities(1L << 39).found())
        .isEqualTo("no CAP_PERFMON, CAP_NET_ADMIN");
    assertThat(HostExamination.tracingCapabilities(ALL).ok()).isTrue();
  }
}
