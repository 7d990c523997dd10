/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.intake.Encoding;
import dev.sennit.store.StoreSettings;
import dev.sennit.store.TelemetryStore;
import dev.sennit.viewer.web.Site;
import dev.sennit.viewer.web.WebServer;
import dev.sennit.viewer.web.WebSettings;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.common.v1.KeyValueList;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import io.opentelemetry.proto.trace.v1.TracesData;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TraceViewsTest {
  private static final Instant NOW = Instant.parse("2026-02-03T10:00:00Z");
  private static final long NANOS = NOW.getEpochSecond() * 1_000_000_000;
  private static final long ORDER = 0xabcd;

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static TelemetryStore store;
  private static WebServer server;

  @BeforeAll
  static void start() throws Exception {
    store = TelemetryStore.temporary(StoreSettings.TEMPORARY);
    SampleTraces traces = new SampleTraces();
    traces.addRequests(20, NANOS);
    traces.addOrder(ORDER, NANOS - 1_000_000_000);
    traces.sendTo(store);
    server =
        WebServer.start(
            WebSettings.onLoopback(0),
            TraceViews.addTo(Site.EMPTY, store.queries(), Clock.fixed(NOW, ZoneOffset.UTC)));
  }

  @AfterAll
  static void stop() {
    server.close();
    store.close();
    CLIENT.close();
  }

  private static HttpResponse<String> get(String path) throws Exception {
    return CLIENT.send(
        HttpRequest.newBuilder(URI.create(server.link() + "api/" + path)).build(),
        BodyHandlers.ofString(UTF_8));
  }

  @Test
  void aListHasTheNewestFirstAndSaysThatItWasCut() throws Exception {
    assertThat(get("traces?limit=1").body())
        .isEqualTo(
            "{\"traces\":[{\"id\":\""
                + SampleTraces.trace(ORDER)
                + "\",\"start\":1770112799000.000000,\"duration\":235000000,"
                + "\"service\":\"gateway\",\"name\":\"POST /orders\",\"spans\":15,\"errors\":1,"
                + "\"services\":[\"gateway\",\"mail\",\"orders\",\"payments\",\"prices\",\"stock\"]"
                + "}],\"more\":true}");
    assertThat(get("traces?limit=21").body()).endsWith("\"more\":false}");
  }

  @ParameterizedTest
  @CsvSource({
    "service=mail, 1",
    "service=nobody, 0",
    "operation=authenticate, 1",
    "min=235ms&max=1h, 0",
    "min=182ms&max=182ms, 1",
    "service=mail&min=.07s, -1",
    "service=mail&min=0.07s&max=70, 1",
    "service=mail&max=69999999ns, 0",
    "status=error, 4",
    "attribute=db.query.text, 1",
    "attribute=customer%3Duser-3, 2",
    "text=declin, 1",
    "last=1, 1",
    "from=1770000000000&to=1770112799000, 20",
    "from=1770112799000, 1",
  })
  void tracesAreFoundByWhatTheAddressSays(String search, int count) throws Exception {
    HttpResponse<String> list = get("traces?" + search);
    HttpResponse<String> points = get("trace-points?" + search);

    assertThat(points.statusCode()).isEqualTo(list.statusCode());
    assertThat(count < 0 ? -1 : list.body().split("\"id\":").length - 1).isEqualTo(count);
    assertThat(count < 0 ? -1 : points.body().split("\"trace\":").length - 1).isEqualTo(count);
  }

  @Test
  void theSlowestComeFirstWhereThatIsAskedFor() throws Exception {
    List<Long> durations =
        List.of(get("traces?sort=slowest").body().split("\"duration\":")).stream()
            .skip(1)
            .map(each -> Long.valueOf(each.substring(0, each.indexOf(','))))
            .toList();

    assertThat(durations).hasSize(21);
    assertThat(durations.getFirst()).isGreaterThanOrEqualTo(182_000_000L);
  }

  @Test
  void whatThereIsToSearchForIsTold() throws Exception {
    assertThat(get("trace-values?service=mail").body())
        .contains(
            "\"services\":[\"gateway\",\"mail\",\"orders\",\"payments\",\"prices\",\"stock\"]")
        .contains("\"operations\":[\"send confirmation\"]")
        .contains("\"customer\"");
    assertThat(get("trace-values").body()).contains("\"authenticate\"", "\"load\"");
  }

  @Test
  void aTraceIsATreeWithItsEventsAndLines() throws Exception {
    String trace = get("traces/" + SampleTraces.trace(ORDER)).body();

    assertThat(trace)
        .startsWith(
            "{\"id\":\""
                + SampleTraces.trace(ORDER)
                + "\",\"start\":1770112799000.000000,\"duration\":235000000,\"spans\":[{\"id\":")
        .contains(
            "\"parent\":-1,\"service\":0,\"name\":\"POST /orders\",\"kind\":\"SERVER\","
                + "\"start\":0,\"duration\":182000000}")
        .contains(",\"failed\":true}")
        .contains(
            "\"services\":[\"gateway\",\"orders\",\"prices\",\"stock\",\"payments\",\"mail\"]")
        .contains("104000000,\"exception\"]")
        .contains("\"lines\":[[0,1000000,9],");
    assertThat(get("traces/" + SampleTraces.trace(ORDER) + "?limit=2").body())
        .contains("\"more\":true");
  }

  @Test
  void aSpanIsToldWithAllThatIsKnownOfIt() throws Exception {
    String found = get("traces/" + SampleTraces.trace(ORDER) + "/find?text=DECLINED").body();
    String id = found.substring(found.indexOf("[\"") + 2, found.indexOf("\"]"));
    String span = get("traces/" + SampleTraces.trace(ORDER) + "/spans/" + id).body();

    assertThat(span)
        .contains("\"status\":\"ERROR\",\"message\":\"card declined\",\"scope\":\"shop\"")
        .contains("\"resource\":[{\"key\":\"host.name\",\"value\":\"here\"},")
        .contains("\"after\":13000000,\"name\":\"exception\"")
        .contains("\"links\":[{\"trace\":\"" + SampleTraces.trace(0x1000))
        .contains("\"severityText\":\"ERROR\",\"body\":\"declined: insufficient funds\"");
    String root = get("traces/" + SampleTraces.trace(ORDER) + "/find?text=url.path").body();
    assertThat(
            get("traces/"
                    + SampleTraces.trace(ORDER)
                    + "/spans/"
                    + root.substring(root.indexOf("[\"") + 2, root.indexOf("\"]")))
                .body())
        .as("64 bits are more than a script can count")
        .contains("{\"key\":\"big\",\"value\":\"9223372036854775807\"}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "traces?min=fast|400|min is fast, but must be a duration such as 250ms, 1.5s or 2min",
        "traces?min=2s&max=1s|400|min is 2s, but must not be more than max",
        "traces?status=bad|400|status is bad, but must be error, ok or unset",
        "traces?attribute=%3Dx|400|attribute is =x, but must be key or key=value",
        "traces?sort=best|400|sort is best, but must be newest or slowest",
        "traces?limit=0|400|limit is 0, but must be a number from 1 to 2000",
        "traces/12|400|the id of a trace has 32 hexadecimal digits, but this is 12",
        "traces/00000000000000000000000000000001|404|there is no trace"
            + " 00000000000000000000000000000001; it has not come yet, or is too old to be kept",
        "traces/00000000000000000000000000000001/export|404|there is no trace"
            + " 00000000000000000000000000000001; it has not come yet, or is too old to be kept",
        "traces/00000000000000000000000000000001/find|400|text is missing: what is to be found?",
        "traces/00000000000000000000000000000001/spans/x|400|the id of a span has 16 hexadecimal"
            + " digits, but this is x",
        "traces/00000000000000000000000000000001/spans/0000000000000001|404|there is no span"
            + " 0000000000000001 in trace 00000000000000000000000000000001",
      })
  void whatIsWrongIsSaid(String path, int status, String text) throws Exception {
    HttpResponse<String> response = get(path);

    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.body()).isEqualTo("{\"error\":\"" + text + "\"}");
  }

  @Test
  void anExportedTraceIsWhatWasReceived() throws Exception {
    String id = "5b8efff798038103d269b633813fc60c";
    AnyValue.Builder value = AnyValue.newBuilder();
    KeyValueList nested =
        KeyValueList.newBuilder()
            .addValues(SampleTraces.attribute("in", "side"))
            .addValues(KeyValue.newBuilder().setKey("none").setValue(AnyValue.newBuilder()))
            .build();
    ArrayValue list =
        ArrayValue.newBuilder()
            .addValues(AnyValue.newBuilder().setBoolValue(true))
            .addValues(AnyValue.newBuilder().setDoubleValue(1.0))
            .build();
    Span whole =
        Span.newBuilder()
            .setTraceId(SampleTraces.bytes(id))
            .setSpanId(SampleTraces.bytes("eee19b7ec3c1b174"))
            .setParentSpanId(SampleTraces.bytes("eee19b7ec3c1b173"))
            .setTraceState("a=b")
            .setName(SampleTraces.HOSTILE)
            .setKind(Span.SpanKind.SPAN_KIND_CONSUMER)
            .setStartTimeUnixNano(1_544_712_660_300_000_001L)
            .setEndTimeUnixNano(1_544_712_661_300_000_002L)
            .addAttributes(SampleTraces.attribute("text", "\"\u202E\n"))
            .addAttributes(SampleTraces.attribute("number", Long.MIN_VALUE))
            .addAttributes(attribute("list", value.clone().setArrayValue(list)))
            .addAttributes(attribute("nested", value.clone().setKvlistValue(nested)))
            .addEvents(
                Span.Event.newBuilder()
                    .setTimeUnixNano(1_544_712_660_400_000_003L)
                    .setName("event")
                    .addAttributes(SampleTraces.attribute("of", "event")))
            .addLinks(
                Span.Link.newBuilder()
                    .setTraceId(SampleTraces.bytes(SampleTraces.trace(1)))
                    .setSpanId(SampleTraces.bytes(SampleTraces.span(1)))
                    .addAttributes(SampleTraces.attribute("of", "link")))
            .setStatus(
                Status.newBuilder().setCode(Status.StatusCode.STATUS_CODE_ERROR).setMessage("why"))
            .build();
    Resource resource = SampleTraces.resource("export");
    ResourceSpans spans =
        ResourceSpans.newBuilder()
            .setResource(resource)
            .addScopeSpans(
                ScopeSpans.newBuilder()
                    .setScope(InstrumentationScope.newBuilder().setName("scope"))
                    .addSpans(whole))
            .build();
    store.traces(ExportTraceServiceRequest.newBuilder().addResourceSpans(spans).build());
    store.flush();

    HttpResponse<String> response = get("traces/" + id.toUpperCase(Locale.ROOT) + "/export");

    assertThat(response.headers().firstValue("content-disposition"))
        .hasValue("attachment; filename=\"trace-" + id + ".json\"");
    assertThat(response.body())
        .contains("\"traceId\":\"" + id + "\"")
        .contains("\"startTimeUnixNano\":\"1544712660300000001\"")
        .contains("\"intValue\":\"-9223372036854775808\"");
    assertThat(Encoding.JSON.read(response.body().getBytes(UTF_8), TracesData.getDefaultInstance()))
        .isEqualTo(TracesData.newBuilder().addResourceSpans(spans).build());
  }

  private static KeyValue attribute(String key, AnyValue.Builder value) {
    return KeyValue.newBuilder().setKey(key).setValue(value).build();
  }
}
