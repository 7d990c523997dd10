/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.sennit.testing.Browser;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
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
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a newcomer does on the page of {@code sennit demo}, in a real browser. */
@Requires(
    root = true,
    commands = {"chromium", "python3"})
class DemoPageTest {
  private static final Path AGENT =
      Path.of("..", "agent", "target", "sennit-agent.jar").toAbsolutePath().normalize();
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(90);
  private static final Pattern LINK = Pattern.compile("look at it: (http://[^ \n]+)");
  private static final Pattern RECEIVER = Pattern.compile("\"http\":\"([^\"]+)\"");
  private static final String HOSTILE = "<script>window.broken = true</script>\u202e txt.exe";

  @TempDir static Path folder;
  private static ChildProcess demo;
  private static Browser browser;
  private static String page;

  @BeforeAll
  static void start() throws Exception {
    demo =
        ChildProcess.start(
            ChildProcess.javaCommand(
                List.of("-Dsennit.agent=" + AGENT, "-Djava.io.tmpdir=" + folder),
                Main.class,
                "demo",
                "--page",
                "0"));
    browser = Browser.start(folder.resolve("browser"));
    page = link();
    // Until a slow request has samples: the first pieces of the recordings are there.
    await("/api/flame?type=wall&name=GET%20%2Fslow&last=900", "\"total\":[1-9]");
    await("/api/flame?type=cpu&name=GET%20%2Freport&last=900", "computeReport");
  }

  @AfterAll
  static void stop() throws Exception {
    browser.close();
    // As Ctrl-C would: the shop is closed, too. That itself is ignored where a script started all
    // this.
    try (ChildProcess ending = demo) {
      new ProcessBuilder("kill", "-TERM", "" + ending.pid()).start().waitFor();
      ending.waitFor();
    }
  }

  @AfterEach
  void nothingCameFromElsewhereAndNothingWasComplainedOf() {
    assertThat(browser.requests()).allMatch(url -> url.startsWith(page));
    assertThat(browser.complaints()).isEmpty();
  }

  private static String link() throws InterruptedException {
    long end = System.nanoTime() + PATIENCE;
    Matcher link = LINK.matcher(demo.errors());
    while (!link.find() && System.nanoTime() < end) {
      Thread.sleep(50);
      link = LINK.matcher(demo.errors());
    }
    return link.group(1);
  }

  private static String get(String path) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create(page).resolve(path)).build(),
              BodyHandlers.ofString())
          .body();
    }
  }

  private static void await(String path, String pattern) throws Exception {
    long end = System.nanoTime() + PATIENCE;
    Pattern wanted = Pattern.compile(pattern);
    String answer = get(path);
    while (!wanted.matcher(answer).find()) {
      assertThat(System.nanoTime()).as(path + " says " + answer + demo.errors()).isLessThan(end);
      Thread.sleep(200);
      answer = get(path);
    }
  }

  private static void open(String path) {
    browser.open(URI.create(page).resolve(path));
  }

  private static void awaitElement(String selector) {
    browser.await("document.querySelector(`" + selector + "`) !== null");
  }

  private static String text(String selector) {
    return browser.evaluate("document.querySelector(`" + selector + "`).innerText");
  }

  private static void keep(String name) throws IOException {
    Path pictures = Files.createDirectories(Path.of("target", "pictures"));
    browser.screenshot(pictures.resolve(name + ".png"));
  }

  @Test
  void fromTheOverviewToASlowTraceItsFlameGraphItsLineAndBack() throws Exception {
    open("/");
    awaitElement("a[href*=\"/traces?service=Gateway\"]");
    browser.await("document.querySelector('main').innerText.includes('redis-server')");
    keep("overview");
    browser.click("a[href*=\"/traces?service=Gateway\"]");
    browser.await("location.pathname === '/traces'");
    awaitElement("#slowest");
    browser.click("#slowest");
    browser.await("location.search.includes('sort=slowest')");
    open("/traces?operation=GET+%2Fslow&service=Gateway&sort=slowest");
    awaitElement(".trace-line");
    keep("traces");
    browser.click(".trace-line");
    awaitElement(".waterfall-name");
    assertThat(text(".trace-head")).contains("GET /slow", "7 spans");
    String trace = browser.evaluate("location.pathname");
    String span = slowSpan(trace.substring(trace.lastIndexOf('/') + 1));

    // The gateway's own span is the one whose thread waits for the order.
    open(trace + "?span=" + span + "&tab=flame");
    awaitElement("sennit-span-flame sennit-flame canvas");
    browser.await("document.querySelector('sennit-flame').tree !== undefined");
    assertThat(get("/api/flame?type=wall&trace=" + trace.substring(8) + "&span=" + span))
        .contains("Gateway.reply");
    keep("trace");
    browser.click("#tab-lines");
    awaitElement(".span-lines a");
    assertThat(text(".span-lines")).contains("/slow");
    browser.click(".span-lines a");
    browser.await("location.pathname === '/logs'");
    awaitElement(".log-trace a");
    assertThat(text("sennit-logs")).contains("order received", "priced", "taken");
    keep("logs-of-trace");
    browser.click(".log-trace a");
    browser.await("location.pathname === '" + trace + "'");
  }

  /** The first slow span of the gateway that has samples. */
  private static String slowSpan(String trace) throws Exception {
    Matcher spans = Pattern.compile("\"([0-9a-f]{16})\"").matcher(get("/api/traces/" + trace));
    while (spans.find()) {
      String types = get("/api/profile-types?trace=" + trace + "&span=" + spans.group(1));
      if (types.contains("\"wall\"")) {
        return spans.group(1);
      }
    }
    throw new AssertionError("no span of " + trace + " was sampled");
  }

  @Test
  void theHungryPartOfTheShopIsInTheProfile() throws Exception {
    open("/profiles?type=cpu&name=GET+%2Freport");
    awaitElement("sennit-flame canvas");
    browser.await("document.querySelector('sennit-flame').tree !== undefined");
    browser.click(".flame-search");
    browser.type("computeReport");
    browser.await("document.querySelector('.flame-found').innerText.includes('%')");
    keep("profiles");
  }

  @Test
  void failuresAreFoundBySearch() throws Exception {
    open("/traces?status=error&operation=GET+%2Ffail");
    awaitElement(".trace-line .badge.bad");
    open("/logs?text=no+such+article&severity=error");
    awaitElement(".log-trace a");
    assertThat(text("sennit-logs")).contains("prices");
    keep("logs");
  }

  @Test
  void threadsAreSeenInTheirSpansAsItHappens() throws Exception {
    open("/processes");
    browser.await("document.querySelector('main').innerText.includes('Gateway')");
    browser.await("document.querySelector('main a[href^=\"/traces/\"]') !== null");
    keep("processes");
  }

  @Test
  void whatAStrangerCallsItselfIsText() throws Exception {
    Matcher receiver = RECEIVER.matcher(get("/api/receiver"));
    assertThat(receiver.find()).isTrue();
    long now = ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now());
    byte[] request =
        ExportTraceServiceRequest.newBuilder()
            .addResourceSpans(
                ResourceSpans.newBuilder()
                    .addScopeSpans(
                        ScopeSpans.newBuilder()
                            .addSpans(
                                Span.newBuilder()
                                    .setTraceId(
                                        ByteString.copyFrom(
                                            new byte[] {
                                              1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
                                            }))
                                    .setSpanId(
                                        ByteString.copyFrom(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}))
                                    .setName(HOSTILE + "x".repeat(10_000))
                                    .setStartTimeUnixNano(now)
                                    .setEndTimeUnixNano(now + 1_000_000))))
            .build()
            .toByteArray();
    try (HttpClient client = HttpClient.newHttpClient()) {
      assertThat(
              client
                  .send(
                      HttpRequest.newBuilder(URI.create(receiver.group(1) + "/v1/traces"))
                          .header("Content-Type", "application/x-protobuf")
                          .POST(HttpRequest.BodyPublishers.ofByteArray(request))
                          .build(),
                      BodyHandlers.discarding())
                  .statusCode())
          .isEqualTo(200);
    }
    await("/api/traces?text=window.broken&last=900", "window.broken");
    open("/traces?text=window.broken");
    awaitElement(".trace-line");
    assertThat(text(".trace-line")).contains("<script>window.broken = true</script>");
    open("/traces/0102030405060708090a0b0c0d0e0f10");
    awaitElement(".waterfall-name");
    assertThat(text(".trace-head")).contains("<script>window.broken");
    assertThat(browser.evaluate("window.broken")).isEqualTo("undefined");
    assertThat(browser.evaluate("document.documentElement.scrollWidth <= innerWidth"))
        .isEqualTo("true");
  }
}
