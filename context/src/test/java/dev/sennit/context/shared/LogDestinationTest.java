/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.shared;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LogDestinationTest {
  @Test
  void grpcHasNoPathAndEachSchemeItsPort() {
    assertThat(grpc("http://Localhost:4317"))
        .isEqualTo(grpc("http://localhost:4317/"))
        .isEqualTo(grpc("HTTP://localhost:4317/v1/logs"))
        .isNotEqualTo(grpc("https://localhost:4317"))
        .isNotEqualTo(grpc("http://localhost:4318"))
        .isNotEqualTo(grpc("http://127.0.0.1:4317"));
    assertThat(grpc("https://collector")).isEqualTo(grpc("https://collector:443"));
    assertThat(grpc("http://collector")).isEqualTo(grpc("http://collector:80"));
  }

  @Test
  void httpHasAPath() {
    assertThat(http("http://c:4318/v1/logs"))
        .isNotEqualTo(http("http://c:4318/v1/other"))
        .isNotEqualTo(http("http://c:4318/v1/logs?tenant=a"))
        .isNotEqualTo(grpc("http://c:4318/v1/logs"));
    assertThat(http("http://c:4318")).isEqualTo(http("http://c:4318/"));
  }

  @Test
  void headersMayTellTenantsApart() {
    assertThat(grpc("http://c:1", Map.of("X-Tenant", "a", "k", "v")))
        .isEqualTo(grpc("http://c:1", Map.of("k", "v", "x-tenant", "a")))
        .isNotEqualTo(grpc("http://c:1", Map.of("k", "v", "x-tenant", "b")))
        .isNotEqualTo(grpc("http://c:1"));
  }

  @Test
  void doesNotShowTheValuesOfHeaders() {
    assertThat(
            new LogDestination("grpc", URI.create("http://c:1"), Map.of("x-token", "secret"))
                .toString())
        .contains("http://c:1", "x-token")
        .doesNotContain("secret");
  }

  private static List<String> grpc(String endpoint) {
    return grpc(endpoint, Map.of());
  }

  private static List<String> grpc(String endpoint, Map<String, String> headers) {
    return new LogDestination("grpc", URI.create(endpoint), headers).key();
  }

  private static List<String> http(String endpoint) {
    return new LogDestination("http/protobuf", URI.create(endpoint), Map.of()).key();
  }
}
