/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.Requires;
import org.junit.jupiter.api.Test;

@Requires
class DoctorCommandTest {
  @Test
  void everyLineSaysOkOrMissing() {
    Sennit doctor = Sennit.run("doctor");
    assertThat(doctor.err()).isEmpty();
    assertThat(doctor.out().lines().filter(line -> line.startsWith("  ")))
        .hasSizeGreaterThan(12)
        .allMatch(line -> line.matches("  (ok     |missing)  \\S.*"));
  }

  @Test
  void theStatusIsThatOfWhatIsNeeded() {
    Sennit doctor = Sennit.run("doctor", "--json");
    JsonObject document = doctor.json();
    assertThat(document.members()).containsOnlyKeys("ready", "findings");
    boolean ready = true;
    for (JsonObject finding : document.objects("findings")) {
      boolean ok = finding.flag("ok");
      assertThat(finding.isNull("remedy")).as("%s", finding).isEqualTo(ok);
      ready &= ok || !finding.flag("needed");
    }
    assertThat(document.flag("ready")).isEqualTo(ready);
    assertThat(doctor.status()).isEqualTo(ready ? 0 : 1);
  }
}
