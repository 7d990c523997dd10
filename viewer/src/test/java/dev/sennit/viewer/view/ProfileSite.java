/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import dev.sennit.intake.Answer;
import dev.sennit.store.StoreSettings;
import dev.sennit.store.TelemetryStore;
import dev.sennit.viewer.web.Site;
import dev.sennit.viewer.web.WebServer;
import dev.sennit.viewer.web.WebSettings;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.util.List;

/** A real store with samples whose sums are known, served as in earnest. */
final class ProfileSite implements AutoCloseable {
  static final String TRACE = "0123456789abcdef0123456789abcdef";
  static final String SPAN = "0123456789abcdef";
  static final String SCRIPT = "<script>window.broken = true</script>";
  static final String BACKWARDS = "\u202Edlrow";
  static final String LONG = "x".repeat(10_000);

  /** What the service shop did, as lines of stacks and amounts. */
  static final List<String> SHOP =
      List.of(
          "main;run;acme.Cart.total 50",
          "main;run;acme.Cart.total;read() 20",
          "main;run;acme.Prices.load 10",
          "main;schedule[k] 20");

  static final List<String> ORDERS =
      List.of("main;run;acme.Cart.total 10", "main;run;acme.Prices.load 30", "main;wait() 10");

  /** The beginning of the samples, in milliseconds since 1970. */
  final long begin = System.currentTimeMillis() - 600_000;

  private final TelemetryStore store = TelemetryStore.temporary(StoreSettings.TEMPORARY);
  private final WebServer server;
  private final HttpClient http = HttpClient.newHttpClient();

  ProfileSite() throws IOException, InterruptedException {
    send(samples("shop", "cpu", "count", SHOP, 1000));
    send(samples("orders", "cpu", "count", ORDERS, 1000));
    send(samples("shop", "allocated_space", "bytes", List.of("main;run 4096"), 1));
    send(
        samples(
            "<b>hostile</b>",
            "cpu",
            "count",
            List.of(SCRIPT + ";" + BACKWARDS + ";" + LONG + " 5"),
            0));
    sendSpan();
    server =
        WebServer.start(
            WebSettings.onLoopback(0),
            ProfileViews.addTo(Site.EMPTY, store.queries(), Clock.systemUTC()));
  }

  /** Each amount is a sample, but for the prices: ten of one, in a span and on a thread. */
  private ExportProfilesServiceRequest samples(
      String service, String type, String unit, List<String> stacks, long every) {
    ProfileRequest request = new ProfileRequest(service, type, unit);
    long time = begin;
    for (String line : stacks) {
      int space = line.lastIndexOf(' ');
      long amount = Long.parseLong(line.substring(space + 1));
      List<String> frames = List.of(line.substring(0, space).split(";"));
      if (frames.getLast().equals("acme.Prices.load") && service.equals("shop")) {
        for (int i = 0; i < amount; i++) {
          request.add(time + i, 1, "http-1", TRACE, SPAN, frames);
        }
      } else {
        request.add(time, amount, "main", frames);
      }
      time += every;
    }
    return request.build();
  }

  private void sendSpan() throws InterruptedException {
    Span span =
        Span.newBuilder()
            .setTraceId(ProfileRequest.id(TRACE))
            .setSpanId(ProfileRequest.id(SPAN))
            .setName("GET /prices")
            .setStartTimeUnixNano(begin * 1_000_000)
            .setEndTimeUnixNano((begin + 3000) * 1_000_000)
            .build();
    Answer answer =
        store.traces(
            ExportTraceServiceRequest.newBuilder()
                .addResourceSpans(
                    ResourceSpans.newBuilder()
                        .addScopeSpans(ScopeSpans.newBuilder().addSpans(span)))
                .build());
    taken(answer);
  }

  void send(ExportProfilesServiceRequest request) throws InterruptedException {
    taken(store.profiles(request));
  }

  private void taken(Answer answer) throws InterruptedException {
    if (!answer.equals(Answer.TAKEN)) {
      throw new AssertionError(answer);
    }
    store.flush();
  }

  URI link(String path) {
    return URI.create(server.link() + path);
  }

  String root() {
    return server.link().toString();
  }

  HttpResponse<byte[]> get(String path) throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(link("api/" + path)).build(), BodyHandlers.ofByteArray());
  }

  @Override
  public void close() {
    server.close();
    store.close();
    http.shutdownNow();
  }
}
