/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.intake.Answer;
import dev.sennit.intake.TelemetrySink;
import dev.sennit.store.StoreSettings;
import dev.sennit.store.TelemetryStore;
import dev.sennit.testing.Browser;
import dev.sennit.testing.Requires;
import dev.sennit.viewer.receive.OtlpReceiver;
import dev.sennit.viewer.receive.ReceiverSettings;
import dev.sennit.viewer.view.ServiceViews;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser, under its own policy. */
@Requires(commands = "chromium")
final class PageBrowserTest {
  @TempDir static Path folder;
  private static Browser browser;
  private static TelemetryStore store;
  private static OtlpReceiver receiver;
  private static WebServer server;

  @BeforeAll
  static void start() throws Exception {
    receiver = OtlpReceiver.start(ReceiverSettings.onLoopback(0, 0), new Forgetful());
    ReceiverView view = new ReceiverView(receiver);
    store = TelemetryStore.temporary(StoreSettings.TEMPORARY);
    server =
        WebServer.start(
            WebSettings.onLoopback(0),
            ServiceViews.addTo(
                Site.EMPTY.with(view).withLive(view), store.queries(), Clock.systemUTC()));
    browser = Browser.start(folder.resolve("browser"));
  }

  @AfterAll
  static void stop() {
    browser.close();
    server.close();
    receiver.close();
    store.close();
  }

  @BeforeEach
  void open() {
    browser.open(server.link());
    browser.await("document.querySelector('#received') !== null");
  }

  @AfterEach
  void nothingCameFromElsewhereAndNothingWasComplainedOf() {
    assertThat(browser.requests()).allMatch(url -> url.startsWith(server.link().toString()));
    assertThat(browser.complaints()).isEmpty();
    assertThat(browser.evaluate("document.documentElement.scrollWidth <= innerWidth"))
        .as("no scrolling to the side")
        .isEqualTo("true");
  }

  @Test
  void theOverviewTellsWhereToSendAndWhatHasCome() throws Exception {
    assertThat(browser.evaluate("document.querySelector('sennit-overview').textContent"))
        .contains(
            "OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:" + receiver.httpAddress().getPort(),
            "OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:" + receiver.grpcAddress().getPort());
    long before = Long.parseLong(accepted());

    send(3);

    browser.await(
        "document.querySelector('#traces .number').textContent === '" + (before + 3) + "'");
    browser.await("document.querySelector('[role=status]').textContent.trim() === 'live'");
    keep("overview-light");
  }

  @Test
  void theSystemChoosesTheColoursUnlessThePersonDoes() throws Exception {
    String light = background();
    browser.preferDark(true);
    String dark = background();
    keep("overview-dark");
    choose("light");
    String chosen = background();
    browser.open(server.link());
    String kept = background();
    choose("system");
    browser.preferDark(false);

    assertThat(dark).isNotEqualTo(light);
    assertThat(chosen).isEqualTo(light);
    assertThat(kept).isEqualTo(light);
    assertThat(background()).isEqualTo(light);
  }

  @Test
  void textStandsOutFromWhatIsBehindItInBothColours() {
    for (boolean dark : List.of(false, true)) {
      browser.preferDark(dark);
      for (String ink : List.of("ink", "ink-soft", "accent", "good", "warning", "bad")) {
        for (String surface : List.of("surface", "surface-sunken", "surface-raised")) {
          assertThat(Double.parseDouble(browser.evaluate(contrast(ink, surface))))
              .as("%s on %s, dark %s", ink, surface, dark)
              .isGreaterThanOrEqualTo(4.5);
        }
      }
    }
    browser.preferDark(false);
  }

  @Test
  void aLinkInsideOfThePageLoadsNothing() {
    browser.open(URI.create(server.link() + "overview/"));
    browser.await("document.querySelector('#received') !== null");
    browser.evaluate("window.here = true");
    browser.click(".brand");

    assertThat(browser.evaluate("location.pathname")).isEqualTo("/");
    assertThat(browser.evaluate("window.here")).isEqualTo("true");
    assertThat(browser.evaluate("document.activeElement.id")).isEqualTo("main");
    browser.evaluate("history.back()");
    browser.await("location.pathname === '/overview/'");
  }

  @Test
  void aTelephoneShowsTheSame() throws Exception {
    browser.resize(360, 740);
    browser.await("innerWidth === 360");

    assertThat(
            browser.evaluate("document.querySelector('.bar').getBoundingClientRect().right <= 360"))
        .isEqualTo("true");
    keep("overview-telephone");
  }

  @Test
  void thePolicyKeepsOutWhatWouldBePutIn() {
    browser.evaluate(
        """
        (() => {
          const script = document.createElement("script");
          script.textContent = "window.broken = true";
          document.body.append(script);
          const image = document.createElement("div");
          image.innerHTML = "<img src='data:,' onerror='window.broken = true'>";
        })()\
        """);

    assertThat(browser.evaluate("window.broken")).isEqualTo("undefined");
    assertThat(browser.complaints()).isNotEmpty().allMatch(each -> each.contains("Policy"));
    browser.complaints().clear();
  }

  private static String accepted() {
    return browser.evaluate("document.querySelector('#traces .number').textContent");
  }

  private static String background() {
    return browser.evaluate("getComputedStyle(document.body).backgroundColor");
  }

  private static void choose(String theme) {
    browser.evaluate(
        """
        (select => {
          select.value = "%s";
          select.dispatchEvent(new Event("change"));
        })(document.getElementById("theme"))\
        """
            .formatted(theme));
  }

  /** WCAG 2.2, contrast ratio, of two of the page's colours. */
  private static String contrast(String ink, String surface) {
    return """
    ((...names) => {
      const [a, b] = names.map(name => {
        const probe = document.body.appendChild(document.createElement("i"));
        probe.style.color = `var(--${name})`;
        const [red, green, blue] = getComputedStyle(probe).color.match(/[0-9.]+/g)
          .map(c => c / 255)
          .map(c => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        probe.remove();
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      });
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    })("%s", "%s")\
    """
        .formatted(ink, surface);
  }

  private static void send(int spans) throws Exception {
    ScopeSpans.Builder scope = ScopeSpans.newBuilder();
    for (int i = 0; i < spans; i++) {
      scope.addSpans(Span.newBuilder().setName("<script>"));
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      int status =
          client
              .send(
                  HttpRequest.newBuilder(
                          URI.create(
                              "http://localhost:"
                                  + receiver.httpAddress().getPort()
                                  + "/v1/traces"))
                      .version(HttpClient.Version.HTTP_1_1)
                      .header("Content-Type", "application/x-protobuf")
                      .POST(
                          HttpRequest.BodyPublishers.ofByteArray(
                              ExportTraceServiceRequest.newBuilder()
                                  .addResourceSpans(ResourceSpans.newBuilder().addScopeSpans(scope))
                                  .build()
                                  .toByteArray()))
                      .build(),
                  BodyHandlers.discarding())
              .statusCode();
      assertThat(status).isEqualTo(200);
    }
  }

  /** Pictures are kept with what the build makes. */
  private static void keep(String name) throws IOException {
    Path pictures = Files.createDirectories(Path.of("target", "pictures"));
    browser.screenshot(pictures.resolve(name + ".png"));
  }

  private static final class Forgetful implements TelemetrySink {
    @Override
    public Answer traces(ExportTraceServiceRequest request) {
      return Answer.TAKEN;
    }

    @Override
    public Answer logs(ExportLogsServiceRequest request) {
      return Answer.TAKEN;
    }

    @Override
    public Answer profiles(ExportProfilesServiceRequest request) {
      return Answer.TAKEN;
    }
  }
}
