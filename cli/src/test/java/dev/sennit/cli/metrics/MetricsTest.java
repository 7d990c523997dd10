/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.sun.net.httpserver.HttpServer;
import dev.sennit.cli.observation.HookUse;
import dev.sennit.cli.observation.LogSettings;
import dev.sennit.cli.observation.Observation;
import dev.sennit.cli.observation.ObservationListener;
import dev.sennit.cli.observation.ObservationSettings;
import dev.sennit.cli.observation.Protocols;
import dev.sennit.kernel.TracerSettings;
import dev.sennit.kernel.ring.Outcome;
import dev.sennit.otlp.export.ExportSettings;
import dev.sennit.otlp.export.Signal;
import dev.sennit.tracing.connection.ConnectionLimits;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.span.SpanSettings;
import dev.sennit.tracing.stitch.StitcherSettings;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Sennit says of itself, as Prometheus and a collector understand it. */
class MetricsTest {
  @TempDir Path folder;

  @Test
  void everyCounterIsThereInPrometheusText() throws Exception {
    try (Observation observation = observation(Optional.empty());
        MetricsEndpoint endpoint = MetricsEndpoint.open("127.0.0.1:0", observation)) {
      HttpResponse<String> answer = get(endpoint.url(), "GET");

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("Content-Type"))
          .contains("text/plain; version=0.0.4; charset=utf-8");
      Map<String, Double> samples = PrometheusSamples.parse(answer.body());
      for (Outcome outcome : Outcome.values()) {
        if (outcome != Outcome.NONE) {
          assertThat(samples)
              .containsEntry(
                  "sennit_kernel_outcomes_total{outcome=\"" + lower(outcome) + "\"}", 0.0);
        }
      }
      for (Lost lost : Lost.values()) {
        assertThat(samples)
            .containsEntry("sennit_protocol_lost_total{reason=\"" + lower(lost) + "\"}", 0.0);
      }
      assertThat(samples)
          .containsKeys(
              "sennit_hook_active",
              "sennit_kernel_lag_seconds",
              "sennit_connections",
              "sennit_connections_held_bytes",
              "sennit_exchanges_total{side=\"server\"}",
              "sennit_exchanges_total{side=\"client\"}",
              "sennit_exchange_decisions_total{decision=\"injected\"}",
              "sennit_exchange_decisions_total{decision=\"not_sampled\"}",
              "sennit_stitcher_spans_total{result=\"stitched\"}",
              "sennit_stitcher_spans_total{result=\"ambiguous\"}",
              "sennit_spans_total");
      assertThat(samples).doesNotContainKey("sennit_export_sent_total");
    }
  }

  @Test
  void ofTheExporterTheyAreThereWhereThereIsOne() throws Exception {
    try (Observation observation = observation(Optional.of(settings(Signal.TRACES, 1)));
        MetricsEndpoint endpoint = MetricsEndpoint.open("127.0.0.1:0", observation)) {
      assertThat(PrometheusSamples.parse(get(endpoint.url(), "GET").body()))
          .containsKeys(
              "sennit_export_sent_total",
              "sennit_export_resent_total",
              "sennit_export_rejected_total",
              "sennit_export_dropped_total{reason=\"queue_full\"}",
              "sennit_export_queued",
              "sennit_export_queue_bytes");
    }
  }

  @Test
  void anythingElseIsNotServed() throws Exception {
    try (Observation observation = observation(Optional.empty());
        MetricsEndpoint endpoint = MetricsEndpoint.open("localhost:0", observation)) {
      assertThat(get(endpoint.url(), "POST").statusCode()).isEqualTo(405);
      assertThat(get(endpoint.url() + "x", "GET").statusCode()).isEqualTo(404);
      assertThat(get(endpoint.url(), "HEAD").body()).isEmpty();
    }
  }

  @Test
  void aPortThatIsInUseIsNamed() throws Exception {
    try (Observation observation = observation(Optional.empty());
        MetricsEndpoint first = MetricsEndpoint.open("127.0.0.1:0", observation)) {
      String address = URI.create(first.url()).getAuthority();
      assertThatIOException()
          .isThrownBy(() -> MetricsEndpoint.open(address, observation))
          .withMessage("cannot listen at " + address + ": Address already in use");
    }
  }

  @Test
  void labelsAndHelpAreEscaped() {
    Metric metric =
        new Metric(
            "a.b",
            "s",
            Metric.Kind.COUNTER,
            "one\ntwo\\",
            List.of(new Metric.Point(Map.of("k.l", "\"q\"\n\\"), 2.5)));

    assertThat(PrometheusText.of(List.of(metric)))
        .isEqualTo(
            """
            # HELP a_b_seconds_total one\\ntwo\\\\
            # TYPE a_b_seconds_total counter
            a_b_seconds_total{k_l="\\"q\\"\\n\\\\"} 2.5
            """);
  }

  @Test
  void aCollectorGetsSumsThatAddUpAndGauges() throws Exception {
    LinkedBlockingQueue<ExportMetricsServiceRequest> requests = new LinkedBlockingQueue<>();
    HttpServer collector =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
    collector.createContext(
        "/v1/metrics",
        exchange -> {
          requests.add(ExportMetricsServiceRequest.parseFrom(exchange.getRequestBody()));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
    try (Observation observation = observation(Optional.empty())) {
      try (MetricsSender sender =
          MetricsSender.start(
              settings(Signal.METRICS, collector.getAddress().getPort()),
              Duration.ofMillis(100),
              observation,
              line -> {})) {
        check(next(requests));
        check(next(requests));
        assertThat(sender).isNotNull();
      }
      check(next(requests));
    } finally {
      collector.stop(0);
    }
  }

  private static void check(ExportMetricsServiceRequest request) {
    assertThat(request.getUnknownFields().asMap()).isEmpty();
    var resource = request.getResourceMetrics(0);
    assertThat(resource.getResource().getAttributesList())
        .anyMatch(
            each ->
                each.getKey().equals("service.name")
                    && each.getValue().getStringValue().equals("sennit"));
    var metrics = resource.getScopeMetrics(0).getMetricsList();
    assertThat(metrics).extracting(each -> each.getName()).doesNotHaveDuplicates();
    var outcomes =
        metrics.stream()
            .filter(each -> each.getName().equals("sennit.kernel.outcomes"))
            .findFirst()
            .orElseThrow();
    assertThat(outcomes.getUnit()).isEqualTo("{outcome}");
    assertThat(outcomes.getSum().getIsMonotonic()).isTrue();
    assertThat(outcomes.getSum().getAggregationTemporality())
        .isEqualTo(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
    assertThat(outcomes.getSum().getDataPointsList())
        .hasSize(Outcome.values().length - 1)
        .allSatisfy(
            point -> {
              assertThat(point.getStartTimeUnixNano())
                  .isPositive()
                  .isLessThanOrEqualTo(point.getTimeUnixNano());
              assertThat(point.getValueCase()).isEqualTo(NumberDataPoint.ValueCase.AS_INT);
              assertThat(point.getAttributes(0).getKey()).isEqualTo("outcome");
            });
    var lag =
        metrics.stream()
            .filter(each -> each.getName().equals("sennit.kernel.lag"))
            .findFirst()
            .orElseThrow();
    assertThat(lag.getUnit()).isEqualTo("s");
    assertThat(lag.getGauge().getDataPoints(0).getStartTimeUnixNano()).isZero();
    assertThat(lag.getGauge().getDataPoints(0).getValueCase())
        .isEqualTo(NumberDataPoint.ValueCase.AS_DOUBLE);
  }

  private static ExportMetricsServiceRequest next(
      LinkedBlockingQueue<ExportMetricsServiceRequest> requests) throws InterruptedException {
    ExportMetricsServiceRequest request = requests.poll(30, TimeUnit.SECONDS);
    assertThat(request).isNotNull();
    return request;
  }

  private ExportSettings settings(Signal signal, int port) {
    Map<String, String> properties =
        Map.of(
            "sennit.otlp.endpoint",
            "http://127.0.0.1:" + port,
            "sennit.otlp.queue.directory",
            folder.resolve("queue").toString());
    return ExportSettings.read(signal, name -> null, properties::get, line -> {});
  }

  private static Observation observation(Optional<ExportSettings> export) throws IOException {
    return Observation.start(
        new ObservationSettings(
            TracerSettings.defaults(),
            HookUse.OFF,
            true,
            Protocols.NAMES,
            false,
            ConnectionLimits.DEFAULT,
            SpanSettings.DEFAULT,
            Optional.of(StitcherSettings.defaults()),
            export,
            Optional.of(LogSettings.defaults()),
            Optional.empty()),
        List.of(),
        ObservationListener.NONE,
        line -> {});
  }

  private static HttpResponse<String> get(String url, String method) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create(url))
              .method(method, HttpRequest.BodyPublishers.noBody())
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
