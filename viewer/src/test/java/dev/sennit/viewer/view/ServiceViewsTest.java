/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.store.StoreSettings;
import dev.sennit.store.TelemetryStore;
import dev.sennit.viewer.web.Site;
import dev.sennit.viewer.web.WebServer;
import dev.sennit.viewer.web.WebSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the overview is answered. */
final class ServiceViewsTest {
  private static final long NOW = 1_700_000_040;
  private static final long SECOND = 1_000_000_000;

  private static HttpClient client;
  private static TelemetryStore store;
  private static WebServer server;

  @BeforeAll
  static void start() throws Exception {
    client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    store = TelemetryStore.temporary(StoreSettings.TEMPORARY);
    SampleServices services = new SampleServices(store);
    SampleServices.Made request = services.request("shop", "GET /", (NOW - 100) * SECOND, 20);
    services.callOutside(request, "postgresql", "SELECT", 5, true);
    services.call(request, "prices", "GET /price", 10, false);
    services.send();
    Clock clock = Clock.fixed(Instant.ofEpochSecond(NOW), ZoneOffset.UTC);
    server =
        WebServer.start(
            WebSettings.onLoopback(0), ServiceViews.addTo(Site.EMPTY, store.queries(), clock));
  }

  @AfterAll
  static void stop() {
    server.close();
    store.close();
    client.close();
  }

  private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
    URI uri = URI.create(server.link() + "api/" + path);
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  @Test
  void theOverviewDividesTheLastTimeAtTimesThatStay() throws Exception {
    assertThat(get("overview?last=900").body())
        .isEqualTo(
            """
            {"from":1.69999914E12,"to":1.70000004E12,"since":1.699999935E12,"width":15000000000,\
            "more":false,"services":[\
            {"service":"prices","spans":1,"requests":1,"errors":0,\
            "p50":10000000,"p95":10000000,"p99":10000000,"buckets":[\
            {"start":1.699999935E12,"requests":1,"errors":0,\
            "p50":10000000,"p95":10000000,"p99":10000000}]},\
            {"service":"shop","spans":3,"requests":1,"errors":0,\
            "p50":20000000,"p95":20000000,"p99":20000000,"buckets":[\
            {"start":1.699999935E12,"requests":1,"errors":0,\
            "p50":20000000,"p95":20000000,"p99":20000000}]}]}\
            """);
  }

  @Test
  void theOverviewSaysWhatItHasCut() throws Exception {
    assertThat(get("overview?limit=1").body()).contains("\"more\":true", "\"shop\"");
    assertThat(get("overview?from=1000&to=2000").body())
        .contains("\"from\":1000.0,\"to\":2000.0", "\"more\":false,\"services\":[]");
  }

  @Test
  void theMapHasWhoCallsWhom() throws Exception {
    assertThat(get("map").body())
        .isEqualTo(
            """
            {"more":false,"edges":[\
            {"caller":"shop","callee":"postgresql","seen":false,"calls":1,"errors":1,"p99":5000000},\
            {"caller":"shop","callee":"prices","seen":true,"calls":1,"errors":0,"p99":10000000}]}\
            """);
    assertThat(get("map?limit=1").body()).startsWith("{\"more\":true");
  }

  @Test
  void operationsAreThoseOfOneService() throws Exception {
    assertThat(get("operations?service=prices").body())
        .isEqualTo(
            """
            {"more":false,"operations":[\
            {"name":"GET /price","kind":"SERVER","spans":1,"errors":0,"total":10000000,\
            "p50":10000000,"p95":10000000,"p99":10000000}]}\
            """);
    assertThat(get("operations?service=unknown").body())
        .isEqualTo("{\"more\":false,\"operations\":[]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "operations|service is missing, but must name one",
        "operations?service=x&limit=0|limit is 0, but must be a number from 1 to 500",
        "overview?limit=many|limit is many, but must be a number from 1 to 500",
        "map?last=-1|last is -1, but must be a number from 1 to 315360000",
        "map?from=5&to=5|from is 5, but must be before to, which is 5",
      })
  void whatIsAskedWronglyIsTold(String path, String reason) throws Exception {
    HttpResponse<String> response = get(path);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).isEqualTo("{\"error\":\"" + reason + "\"}");
  }
}
