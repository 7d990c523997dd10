/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.profiles.v1development.Profile;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Chunks of a recording arrive at a collector, one by one, each with its spans. */
@Requires
class ShippingTest {
  private final List<byte[]> received = Collections.synchronizedList(new ArrayList<>());
  private HttpServer server;

  @TempDir Path folder;

  @BeforeEach
  void startReceiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1development/profiles", this::receive);
    server.start();
  }

  @AfterEach
  void stopReceiver() {
    server.stop(0);
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      InputStream body = exchange.getRequestBody();
      boolean gzip = "gzip".equals(exchange.getRequestHeaders().getFirst("content-encoding"));
      received.add((gzip ? new GZIPInputStream(body) : body).readAllBytes());
      exchange.getResponseHeaders().set("content-type", "application/x-protobuf");
      exchange.sendResponseHeaders(200, -1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"async", "jfr"})
  void everyChunkHasItsOwnIdAndTheSpansOfItsSamples(String engine) throws IOException {
    String errors = profile("start,engine=" + engine + ",cpu=2ms,chunktime=1s");

    assertThat(errors).isEmpty();
    List<String> ids = new ArrayList<>();
    int samples = 0;
    int linked = 0;
    for (byte[] message : received) {
      var request = ExportProfilesServiceRequest.parseFrom(message);
      var resource = request.getResourceProfiles(0);
      assertThat(resource.getResource().getAttributesList())
          .anySatisfy(
              attribute -> {
                assertThat(attribute.getKey()).isEqualTo("service.name");
                assertThat(attribute.getValue().getStringValue()).isEqualTo("shop");
              });
      for (Profile profile : resource.getScopeProfiles(0).getProfilesList()) {
        ids.add(HexFormat.of().formatHex(profile.getProfileId().toByteArray()));
      }
      for (var sample : SampledProfile.of(message).samples()) {
        samples++;
        linked += sample.link().isEmpty() == sample.method().equals("inNone") ? 1 : 0;
      }
    }
    assertThat(received).hasSizeGreaterThan(1);
    assertThat(ids).doesNotHaveDuplicates();
    assertThat(samples).isGreaterThan(300);
    assertThat(linked).isGreaterThanOrEqualTo(samples - samples / 100);
  }

  @Test
  void aggregatedProfilesHaveNoTimestamps() throws IOException {
    assertThat(profile("start,engine=async,cpu=2ms,shape=aggregated")).isEmpty();

    assertThat(received).isNotEmpty();
    for (byte[] message : received) {
      ExportProfilesServiceRequest.parseFrom(message)
          .getResourceProfiles(0)
          .getScopeProfiles(0)
          .getProfilesList()
          .stream()
          .flatMap(profile -> profile.getSamplesList().stream())
          .forEach(sample -> assertThat(sample.getTimestampsUnixNanoCount()).isZero());
    }
  }

  /** Profiles the workload; returns what was printed on standard error. */
  private String profile(String command) {
    ProcessBuilder builder =
        new ProcessBuilder(
            ChildProcess.javaCommand(
                List.of("-Dsennit.otlp.queue.directory=" + folder),
                Workload.class,
                "proportions",
                command + ",otlp=http://localhost:" + server.getAddress().getPort()));
    builder.environment().put("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf");
    builder.environment().put("OTEL_SERVICE_NAME", "shop");
    try (ChildProcess child = ChildProcess.start(builder)) {
      List<String> output = child.readAll();
      assertThat(child.waitFor()).as("%s\n%s", output, child.errors()).isZero();
      return child.errors();
    }
  }
}
