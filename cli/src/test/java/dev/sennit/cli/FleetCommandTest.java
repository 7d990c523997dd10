/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FleetCommandTest {
  @Test
  void brokersMustBeNamed() {
    Sennit run = Sennit.run("fleet");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).isEqualTo("sennit: --bootstrap is missing; --try does without\n");
  }

  @Test
  void aBrokerThatCannotBeReachedIsNamed() {
    Sennit run = Sennit.run("fleet", "--bootstrap", "127.0.0.1:1");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo("sennit: fleet: no broker can be reached: 127.0.0.1:1 (Connection refused)\n");
  }

  @ParameterizedTest
  @CsvSource({
    "--bootstrap, here",
    "--in, not a topic",
    "--out, otlp_spans",
    "--window, 0s",
    "--grace, 2h",
    "--grace, soon",
    "--retention, 1s",
    "--partitions, 0",
    "--standby, -1",
    "--threads, 0",
    "--spans, 0",
    "--listen, 9465",
    "--application-id, a/b",
    "--kafka-properties, /nowhere/kafka.properties"
  })
  void whatIsWrongIsNamed(String option, String value) {
    String[] arguments =
        option.equals("--bootstrap")
            ? new String[] {"fleet", option, value}
            : new String[] {"fleet", "--bootstrap", "127.0.0.1:1", option, value};
    Sennit run = Sennit.run(arguments);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err()).contains(option.equals("--out") ? "in, out and dead-letter" : option);
  }
}
