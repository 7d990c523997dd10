/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaSettingsTest {
  @TempDir private Path folder;

  @Test
  void theEnvironmentNamesKafkasKeys() {
    assertThat(
            KafkaSettings.of(
                Map.of("SENNIT_KAFKA_SSL_KEYSTORE_LOCATION", "/keys", "SENNIT_OTHER", "x")))
        .containsExactly(Map.entry("ssl.keystore.location", "/keys"));
  }

  @Test
  void whatMakesTheResultRightCannotBeSet() throws IOException {
    assertThatThrownBy(
            () -> KafkaSettings.of(Map.of("SENNIT_KAFKA_PROCESSING_GUARANTEE", "at_least_once")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("SENNIT_KAFKA_PROCESSING_GUARANTEE sets processing.guarantee");
    Path file = Files.writeString(folder.resolve("kafka.properties"), "application.id=other\n");
    assertThatThrownBy(() -> KafkaSettings.read(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sets application.id");
  }
}
