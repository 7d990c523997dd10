/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.sennit.store.StoreSettings;
import dev.sennit.store.TelemetryStore;
import dev.sennit.viewer.web.Site;
import dev.sennit.viewer.web.WebServer;
import dev.sennit.viewer.web.WebSettings;
import io.opentelemetry.proto.logs.v1.LogRecord;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Twenty lines of a shop, one a second until now; every fifth is an error of the one trace. */
final class LogViewsTest {
  private static final long NOW = 1_700_000_000_000L;
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String SPAN = "b7ad6b7169203331";

  private static TelemetryStore store;
  private static WebServer server;
  private static HttpClient client;

  @BeforeAll
  static void start() throws Exception {
    store = TelemetryStore.temporary(StoreSettings.TEMPORARY);
    List<LogRecord.Builder> lines = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      LogRecord.Builder line =
          LogRequests.line(NOW - 19_000 + i * 1000L, i % 5 == 0 ? 17 : 9, "line " + i)
              .addAttributes(LogRequests.attribute("thread.name", "worker-" + i % 2))
              .addAttributes(LogRequests.attribute("shop.id", "s" + i % 3));
      lines.add(i % 5 == 0 ? LogRequests.in(line, TRACE, SPAN) : line);
    }
    LogRequests.store(store, "shop", lines);
    LogRequests.store(store, "old", LogRequests.line(NOW - 3_600_000, 13, "an hour ago"));
    Clock clock = Clock.fixed(Instant.ofEpochMilli(NOW), ZoneOffset.UTC);
    server =
        WebServer.start(
            WebSettings.onLoopback(0), LogViews.addTo(Site.EMPTY, store.queries(), clock));
    client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
    store.close();
  }

  private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
    URI uri = URI.create(server.link() + "api/" + path);
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  private static JsonObject ask(String path) throws IOException, InterruptedException {
    HttpResponse<String> response = get(path);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JsonParser.parseString(response.body()).getAsJsonObject();
  }

  private static List<String> bodies(JsonObject answer) {
    return StreamSupport.stream(answer.getAsJsonArray("lines").spliterator(), false)
        .map(line -> line.getAsJsonObject().get("body").getAsString())
        .toList();
  }

  private static long seq(JsonObject answer, int index) {
    return answer.getAsJsonArray("lines").get(index).getAsJsonObject().get("seq").getAsLong();
  }

  @Test
  void theNewestAreThereInOrderAndFromThemItGoesBackAndOn() throws Exception {
    JsonObject newest = ask("logs?limit=3");
    JsonObject before = ask("logs?limit=3&before=" + seq(newest, 0));
    JsonObject after = ask("logs?limit=3&after=" + seq(before, 2));

    assertThat(bodies(newest)).containsExactly("line 17", "line 18", "line 19");
    assertThat(newest.get("older").getAsBoolean()).isTrue();
    assertThat(newest.get("newer").getAsBoolean()).isFalse();
    assertThat(newest.get("last").getAsLong()).isEqualTo(store.queries().logs().lastSeq());
    assertThat(bodies(before)).containsExactly("line 14", "line 15", "line 16");
    assertThat(bodies(after)).containsExactly("line 17", "line 18", "line 19");
    assertThat(after.get("newer").getAsBoolean()).isFalse();
  }

  @Test
  void aroundAMomentThereAreLinesOfBothSides() throws Exception {
    JsonObject around = ask("logs?limit=2&at=" + (NOW - 9000));
    JsonObject outside = ask("logs?limit=2&at=" + (NOW - 4_000_000));

    assertThat(bodies(around)).containsExactly("line 8", "line 9", "line 10", "line 11");
    assertThat(around.get("older").getAsBoolean()).isTrue();
    assertThat(around.get("newer").getAsBoolean()).isTrue();
    assertThat(bodies(outside)).containsExactly("line 0", "line 1");
  }

  @ParameterizedTest
  @CsvSource({
    "last=3, 4",
    "last=7200, 21",
    "last=7200&service=old, 1",
    "severity=error, 4",
    "severity=warn&last=7200, 5",
    "text=LINE%201, 11",
    "text=s2, 6",
    "thread=WORKER-1, 10",
    "attribute=shop.id%3Ds1, 7",
    "attribute=shop.id, 20",
    "attribute=shop.nothing, 0",
    "trace=0AF7651916CD43DD8448EB211C80319C, 4",
    "trace=0af7651916cd43dd8448eb211c80319c&span=b7ad6b7169203331, 4",
    "span=b7ad6b7169203332, 0",
    "from=1699999990000&to=1699999995000, 5",
  })
  void everyConditionHolds(String query, int lines) throws Exception {
    assertThat(bodies(ask("logs?" + query))).hasSize(lines);
    assertThat(get("logs/export?" + query).body().lines().filter(line -> !line.isEmpty()))
        .hasSize(lines);
  }

  @ParameterizedTest
  @CsvSource({
    "logs?severity=loud, 400, 'severity is loud, but must be one of trace, debug, info, warn,"
        + " error, fatal'",
    "logs?trace=12, 400, 'trace is 12, which is no id of a trace'",
    "logs?span=xyz, 400, 'span is xyz, which is no id of a span'",
    "logs?limit=5000, 400, 'limit is 5000, but must be a number from 1 to 2000'",
    "logs?attribute=%3Dx, 400, 'attribute is =x, but must be key=value or key'",
    "log-counts?parts=0, 400, 'parts is 0, but must be a number from 1 to 1000'",
    "live/logs?severity=loud, 400, 'severity is loud, but must be one of trace, debug, info, warn,"
        + " error, fatal'",
    "logs/export?last=x, 400, 'last is x, but must be a number from 1 to 315360000'",
    "logs/nine, 400, 'nine is no number of a line'",
    "logs/999999, 404, 'line 999999 is not there, or not any more'",
  })
  void whatIsAskedWronglyIsRefusedInWords(String path, int status, String words) throws Exception {
    HttpResponse<String> response = get(path);

    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(JsonParser.parseString(response.body()).getAsJsonObject().get("error").getAsString())
        .isEqualTo(words);
  }

  @Test
  void aLineHasAllThatItHas() throws Exception {
    JsonObject head = ask("logs?limit=1&trace=" + TRACE);
    JsonObject line = ask("logs/" + seq(head, 0));

    assertThat(line.get("body").getAsString()).isEqualTo("line 15");
    assertThat(line.get("nanos").getAsString()).isEqualTo((NOW - 4000) + "000000");
    assertThat(line.get("scope").getAsString()).isEqualTo("dev.shop.Orders");
    assertThat(line.get("trace").getAsString()).isEqualTo(TRACE);
    assertThat(line.get("span").getAsString()).isEqualTo(SPAN);
    assertThat(line.getAsJsonObject("attributes").get("shop.id").getAsString()).isEqualTo("s0");
  }

  @Test
  void severitiesAreCountedOverTime() throws Exception {
    JsonObject counts = ask("log-counts?last=20&parts=8");
    int errors = 0;
    int all = 0;
    for (JsonElement element : counts.getAsJsonArray("parts")) {
      JsonObject part = element.getAsJsonObject();
      all += part.get("lines").getAsInt();
      errors += part.get("severity").getAsInt() == 17 ? part.get("lines").getAsInt() : 0;
    }

    assertThat(all).isEqualTo(20);
    assertThat(errors).isEqualTo(4);
    assertThat(counts.get("to").getAsDouble() - counts.get("from").getAsDouble()).isEqualTo(80_000);
    assertThat(counts.get("width").getAsDouble()).isEqualTo(10_000);
    JsonArray services = ask("log-counts?last=7200").getAsJsonArray("services");
    assertThat(services).extracting(JsonElement::getAsString).containsExactly("old", "shop");
  }

  @Test
  void aFileSaysThatItWasCut() throws Exception {
    HttpResponse<String> response = get("logs/export?limit=2");
    List<String> lines = response.body().lines().toList();

    assertThat(response.headers().firstValue("content-type")).hasValue("application/x-ndjson");
    assertThat(response.headers().firstValue("content-disposition"))
        .hasValue("attachment; filename=\"logs.ndjson\"");
    assertThat(lines).hasSize(3);
    assertThat(JsonParser.parseString(lines.get(1)).getAsJsonObject().get("body").getAsString())
        .isEqualTo("line 18");
    assertThat(lines.get(2))
        .isEqualTo("{\"more\":\"these are the newest 2 lines; there are older ones\"}");
  }

  @Test
  void whoFollowsIsToldWhatIsStoredAndWhatWasLeftOut() throws Exception {
    try (TelemetryStore growing = TelemetryStore.temporary(StoreSettings.TEMPORARY);
        WebServer live =
            WebServer.start(
                WebSettings.onLoopback(0),
                LogViews.addTo(Site.EMPTY, growing.queries(), Clock.systemUTC()))) {
      URI uri = URI.create(live.link() + "api/live/logs?severity=error");
      InputStream stream =
          client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofInputStream()).body();
      try (BufferedReader events = new BufferedReader(new InputStreamReader(stream, UTF_8))) {
        assertThat(bodies(next(events))).isEmpty();

        LogRequests.store(
            growing,
            "shop",
            LogRequests.line(5, 17, "late"),
            LogRequests.line(NOW, 9, "not asked for"));
        JsonObject first = next(events);
        List<LogRecord.Builder> many = new ArrayList<>();
        for (int i = 0; i < 700; i++) {
          many.add(LogRequests.line(NOW, 17, "line " + i));
        }
        LogRequests.store(growing, "shop", many);
        JsonObject second = next(events);

        assertThat(bodies(first)).containsExactly("late");
        assertThat(first.get("leftOut").getAsLong()).isZero();
        assertThat(bodies(second)).hasSize(500).startsWith("line 200").endsWith("line 699");
        assertThat(second.get("leftOut").getAsLong()).isEqualTo(200);
        assertThat(second.get("last").getAsLong()).isEqualTo(growing.queries().logs().lastSeq());
      }
    }
  }

  private static JsonObject next(BufferedReader events) throws IOException {
    for (String line = events.readLine(); line != null; line = events.readLine()) {
      if (line.startsWith("data: ")) {
        return JsonParser.parseString(line.substring("data: ".length())).getAsJsonObject();
      }
    }
    throw new AssertionError("the server told no more");
  }
}
