/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Settings that make no sense name themselves. */
final class TracerSettingsTest {
  @Test
  void theDefaultsAreThoseOfTheDocument() {
    TracerSettings settings = TracerSettings.defaults();

    assertThat(settings.scan()).isEqualTo(16_384);
    assertThat(settings.contextLifetime()).isEqualTo(Duration.ofSeconds(30));
    assertThat(settings.connections()).isEqualTo(16_384);
    assertThat(settings.threads()).isEqualTo(8192);
    assertThat(settings.inject()).isTrue();
    assertThat(settings.http2()).isFalse();
    assertThat(settings.baggage()).isFalse();
    assertThat(settings.startTraces()).isFalse();
    assertThat(settings.toBuilder().build()).isEqualTo(settings);
  }

  @Test
  void whatIsOutOfRangeIsRefused() {
    TracerSettings.Builder builder = new TracerSettings.Builder();

    assertThatThrownBy(() -> builder.capture(16_385).build()).hasMessageContaining("capture 16385");
    builder.capture(0);
    assertThatThrownBy(() -> builder.scan(100).build()).hasMessageContaining("scan 100");
    builder.scan(4096);
    assertThatThrownBy(() -> builder.sampleRatio(1.5).build()).hasMessageContaining("1.5");
    assertThatThrownBy(() -> builder.sampleRatio(Double.NaN).build()).hasMessageContaining("NaN");
    builder.sampleRatio(0.5);
    assertThatThrownBy(() -> builder.ringBytes(5000).build()).hasMessageContaining("5000");
    builder.ringBytes(8192);
    assertThatThrownBy(() -> builder.connections(0).build()).hasMessageContaining("0");
  }
}
