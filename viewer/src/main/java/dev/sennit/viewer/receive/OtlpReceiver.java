/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import dev.sennit.intake.TelemetrySink;
import dev.sennit.otlp.export.Signal;
import dev.sennit.viewer.http.Hosts;
import dev.sennit.viewer.http.Listener;
import dev.sennit.viewer.http.ListenerLimits;
import io.helidon.webserver.http.HttpRouting;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * Receives traces, logs and profiles by OTLP over HTTP and gRPC, from the SDKs of applications and
 * from whoever else sends, and hands them to a sink. Metrics are answered and not kept. Each of the
 * two addresses takes both, so that mixing them up does no harm.
 */
public final class OtlpReceiver implements AutoCloseable {
  private static final Duration GRACE = Duration.ofSeconds(1);

  private final List<Service<?>> services;
  private final Reception reception;
  private final Listener http;
  private final Listener grpc;

  private OtlpReceiver(
      List<Service<?>> services, Reception reception, Listener http, Listener grpc) {
    this.services = services;
    this.reception = reception;
    this.http = http;
    this.grpc = grpc;
  }

  /**
   * Begins to receive.
   *
   * @throws IOException naming the address that cannot be listened on
   */
  public static OtlpReceiver start(ReceiverSettings settings, TelemetrySink sink)
      throws IOException {
    List<Service<?>> services = Services.of(sink);
    Reception reception = new Reception(settings.limits());
    ListenerLimits limits =
        new ListenerLimits(
            settings.limits().connections(),
            settings.limits().requestBytes(),
            settings.limits().idle(),
            GRACE);
    Listener http = null;
    try {
      http =
          Listener.start(
              "OTLP over HTTP",
              settings.http(),
              routing(services, reception, settings.http()),
              limits);
      Listener grpc =
          Listener.start(
              "OTLP over gRPC",
              settings.grpc(),
              routing(services, reception, settings.grpc()),
              limits);
      return new OtlpReceiver(services, reception, http, grpc);
    } catch (IOException e) {
      if (http != null) {
        http.close();
      }
      reception.close();
      throw e;
    }
  }

  private static HttpRouting.Builder routing(
      List<Service<?>> services, Reception reception, InetSocketAddress address) {
    Strangers strangers = new Strangers(Hosts.of(address.getAddress()));
    HttpRouting.Builder routing = HttpRouting.builder();
    for (Service<?> service : services) {
      Signal signal = service.signal();
      routing.any("/" + signal.httpPath(), new HttpExport(service, reception, strangers));
      routing.any("/" + signal.grpcMethod(), new GrpcExport(service, reception, strangers));
    }
    return routing.any(new NothingHere());
  }

  /** Where OTLP over HTTP is received, with the port that it has in fact. */
  public InetSocketAddress httpAddress() {
    return http.address();
  }

  /** Where OTLP over gRPC is received, likewise. */
  public InetSocketAddress grpcAddress() {
    return grpc.address();
  }

  /** What has come of a signal so far. */
  public SignalCounters counters(Signal signal) {
    return services.stream()
        .filter(service -> service.signal() == signal)
        .findAny()
        .orElseThrow()
        .tally()
        .counters();
  }

  /** Takes no more requests and gives those that are running a second. */
  @Override
  public void close() {
    http.close();
    grpc.close();
    reception.close();
  }
}
