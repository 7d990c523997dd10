/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.store.StoreSettings;
import dev.sennit.store.TelemetryStore;
import dev.sennit.testing.Browser;
import dev.sennit.testing.Requires;
import dev.sennit.viewer.web.Site;
import dev.sennit.viewer.web.WebServer;
import dev.sennit.viewer.web.WebSettings;
import io.opentelemetry.proto.logs.v1.LogRecord;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log lines of a shop in a real browser: 900 of everyday, and a few to look for. */
@Requires(commands = "chromium")
final class LogsBrowserTest {
  private static final String FAILURE =
      """
      order 4712 failed
      java.lang.IllegalStateException: no price for Needle
      \tat dev.shop.Orders.price(Orders.java:42)
      \tat dev.shop.Orders.place(Orders.java:17)\
      """;

  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String SPAN = "b7ad6b7169203331";
  private static final String HOSTILE = "<script>window.broken = true</script>\u202eevil";
  private static final String LIST = "document.querySelector('.log-scroll')";
  private static final String VIEW = "document.querySelector('sennit-logs')";
  private static final String[] EVERYDAY = {
    "GET /products answered 200 in 3.1 ms",
    "order 4711 has 3 items",
    "price of 12 items fetched",
    "connection to orders-db taken from the pool, 7 of 10 idle",
  };

  @TempDir static Path folder;
  private static Browser browser;
  private static TelemetryStore store;
  private static WebServer server;
  private static long failure;

  @BeforeAll
  static void start() throws Exception {
    store = TelemetryStore.temporary(StoreSettings.TEMPORARY);
    long now = System.currentTimeMillis();
    List<LogRecord.Builder> gateway = new ArrayList<>();
    List<LogRecord.Builder> orders = new ArrayList<>();
    for (int i = 0; i < 900; i++) {
      int severity = i % 97 == 0 ? 17 : i % 31 == 0 ? 13 : i % 7 == 0 ? 5 : 9;
      LogRecord.Builder line =
          LogRequests.line(now - 600_000 + i * 500L, severity, EVERYDAY[i % EVERYDAY.length])
              .addAttributes(LogRequests.attribute("thread.name", "http-worker-" + i % 5))
              .addAttributes(LogRequests.attribute("sennit.correlation", "thread"));
      LogRequests.in(line, String.format("%032x", 1 + i / 4), String.format("%016x", 1 + i));
      (i % 3 == 0 ? orders : gateway).add(line);
    }
    failure = now - 100_000;
    orders.add(LogRequests.in(LogRequests.line(failure - 3, 9, "order 4712 begun"), TRACE, SPAN));
    orders.add(
        LogRequests.in(LogRequests.line(failure, 17, FAILURE), TRACE, SPAN)
            .addAttributes(LogRequests.attribute("sennit.correlation", "record"))
            .addAttributes(LogRequests.attribute("thread.name", "virtual-12"))
            .addAttributes(LogRequests.attribute("shop.order", "4712")));
    LogRequests.store(store, "gateway", gateway);
    LogRequests.store(store, "orders", orders);
    LogRequests.store(
        store,
        HOSTILE,
        LogRequests.line(now - 90_000, 21, HOSTILE)
            .addAttributes(LogRequests.attribute("thread.name", HOSTILE))
            .addAttributes(LogRequests.attribute(HOSTILE, HOSTILE)),
        LogRequests.line(now - 89_000, 0, "long ".repeat(2000)));
    server =
        WebServer.start(
            WebSettings.onLoopback(0),
            LogViews.addTo(Site.EMPTY, store.queries(), Clock.systemUTC()));
    browser = Browser.start(folder.resolve("browser"));
  }

  @AfterAll
  static void stop() {
    browser.close();
    server.close();
    store.close();
  }

  @AfterEach
  void nothingCameFromElsewhereAndNothingWasComplainedOf() {
    assertThat(browser.requests()).allMatch(url -> url.startsWith(server.link().toString()));
    assertThat(browser.complaints()).isEmpty();
    assertThat(browser.evaluate("window.broken")).isEqualTo("undefined");
    assertThat(browser.evaluate("document.documentElement.scrollWidth <= innerWidth"))
        .as("no scrolling to the side")
        .isEqualTo("true");
  }

  private static void open(String query) {
    browser.open(URI.create(server.link() + "logs" + query));
    browser.await(VIEW + "?.loading === false && " + LIST + " !== null");
    browser.await(VIEW + ".counts !== undefined");
  }

  private static String text(String selector) {
    return browser.evaluate("document.querySelector(`" + selector + "`).innerText");
  }

  private static String length() {
    return browser.evaluate(VIEW + ".model.length");
  }

  @Test
  void theNewestLinesAreAtTheEndAndOlderOnesComeByScrolling() throws Exception {
    open("");
    browser.await(LIST + ".scrollTop > 0");
    assertThat(length()).isEqualTo("300");
    assertThat(browser.evaluate("document.querySelectorAll('.log-window .log-row').length < 80"))
        .isEqualTo("true");
    assertThat(text(".log-words")).contains("error", "warn", "info", "debug", "fatal 1");
    keep("logs-light");
    browser.preferDark(true);
    keep("logs-dark");
    browser.preferDark(false);

    for (int pages = 2; pages <= 4; pages++) {
      String first = browser.evaluate(VIEW + ".model.at(0).seq");
      browser.evaluate(LIST + ".scrollTop = 10");
      browser.await(VIEW + ".model.at(0).seq !== " + first);
      browser.await(VIEW + ".loading === false");
      // The line that was at the upper edge is still there.
      browser.await("document.querySelector('#log-" + first + "') !== null");
    }
    assertThat(length()).isEqualTo("904");
    browser.await("document.querySelector('#log-length').textContent === '904 lines'");
  }

  @Test
  void aSearchIsHighlightedAndItsLineShowsItsStack() throws Exception {
    open("");
    browser.press("/");
    browser.type("needle");
    browser.await("document.querySelector('#log-length')?.textContent === '1 line'");
    assertThat(browser.evaluate("location.search")).isEqualTo("?text=needle");
    assertThat(text(".log-window mark")).isEqualTo("Needle");
    browser.press("Escape");
    browser.press("j");
    browser.press("Enter");
    browser.await("document.querySelector('.log-fields')?.innerText.includes('shop.order')");

    assertThat(text(".log-whole")).isEqualTo(FAILURE);
    assertThat(text(".log-window .log-trace")).contains("0af76519", "record");
    assertThat(browser.evaluate("document.querySelector('.log-trace a').getAttribute('href')"))
        .isEqualTo("/traces/" + TRACE + "?span=" + SPAN);
    keep("logs-open");
    browser.preferDark(true);
    keep("logs-open-dark");
    browser.preferDark(false);

    browser.evaluate("navigator.clipboard.writeText = async text => void (window.copied = text)");
    browser.press("y");
    browser.await("window.copied?.startsWith('order 4712 failed\\njava.lang')");
    browser.press("Enter");
    browser.await("document.querySelector('.log-open') === null");
    browser.press("?");
    assertThat(text("dialog")).contains("pause", "go to the trace");
    browser.press("Escape");
  }

  @Test
  void fromATraceOneComesToItsLinesAndBack() {
    open("?trace=" + TRACE + "&at=" + failure);
    browser.await("document.querySelector('[aria-selected=true]') !== null");

    assertThat(length()).isEqualTo("2");
    assertThat(text("[aria-selected=true]")).contains("error", "order 4712 failed");
    // The trace is another view's; that it is gone to is what counts here.
    browser.evaluate("history.pushState = (state, unused, to) => void (window.gone = to)");
    browser.press("t");
    assertThat(browser.evaluate("window.gone")).isEqualTo("/traces/" + TRACE + "?span=" + SPAN);
  }

  @Test
  void aLinkShowsTheSameLineToSomebodyElse() {
    open("?service=orders&severity=error");
    browser.press("k");
    browser.press("k");
    String chosen = browser.evaluate("document.querySelector('[aria-selected=true]').id");
    browser.await("location.search.includes('at=')");
    String link = browser.evaluate("location.search");
    open(link);
    browser.await("document.querySelector('[aria-selected=true]')?.id === '" + chosen + "'");

    assertThat(text("[aria-selected=true]")).contains("error", "orders");
    assertThat(browser.evaluate("document.querySelector('[name=service]').value"))
        .isEqualTo("orders");
    assertThat(browser.evaluate("document.querySelector('[name=severity]').value"))
        .isEqualTo("error");
  }

  @Test
  void whatIsWrittenAppearsAndIsCountedWhilePaused() throws Exception {
    try (TelemetryStore growing = TelemetryStore.temporary(StoreSettings.TEMPORARY);
        WebServer live =
            WebServer.start(
                WebSettings.onLoopback(0),
                LogViews.addTo(Site.EMPTY, growing.queries(), Clock.systemUTC()))) {
      browser.open(URI.create(live.link() + "logs"));
      browser.await(VIEW + "?.loading === false && " + LIST + " !== null");
      assertThat(text(".log-said")).contains("No lines");
      browser.evaluate(LIST + ".focus()");
      browser.press(" ");
      browser.await("document.querySelector('#tail')?.textContent === 'live'");
      assertThat(browser.evaluate("location.search")).isEqualTo("?tail=1");
      LogRequests.store(growing, "shop", now("first"));
      browser.await("document.querySelector('.log-body bdi')?.textContent === 'first'");

      browser.press(" ");
      LogRequests.store(growing, "shop", now("second"), now("third"));
      browser.await("document.querySelector('#follow').innerText === 'Resume +2'");
      assertThat(length()).isEqualTo("1");
      browser.press(" ");
      browser.await(VIEW + ".model.length === 3");

      List<LogRecord.Builder> many = new ArrayList<>();
      for (int i = 0; i < 800; i++) {
        many.add(now("burst " + i));
      }
      LogRequests.store(growing, "shop", many);
      browser.await("document.querySelector('#log-skipped') !== null");
      assertThat(text("#log-skipped")).startsWith("300 left out");
      assertThat(length()).isEqualTo("503");
      browser.await("document.querySelector('.log-window').innerText.includes('burst 799')");
      keep("logs-live");
      assertThat(browser.requests()).allMatch(url -> url.startsWith(live.link().toString()));
      browser.requests().clear();
    }
    browser.await(VIEW + ".tail.connected === false");
    browser.evaluate(VIEW + ".stopTail()");
    browser.complaints().removeIf(each -> each.contains("ERR_"));
  }

  private static LogRecord.Builder now(String body) {
    return LogRequests.line(System.currentTimeMillis(), 9, body);
  }

  @Test
  void aTimeIsChosenByDragging() {
    open("");
    String before = browser.evaluate("document.querySelector('.log-words').textContent");
    browser.drag(".log-strip", 0.25, 0.5);
    browser.await("location.search.includes('from=') && location.search.includes('to=')");
    browser.await("document.querySelector('.log-words').textContent !== `" + before + "`");
    browser.await(VIEW + ".loading === false");

    assertThat(browser.evaluate("document.querySelector('#range').value")).isEmpty();
  }

  @Test
  void hostileNamesAreText() throws Exception {
    open("?text=window.broken");
    browser.await(VIEW + ".model.length === 1");
    assertThat(text(".log-window .log-service bdi")).isEqualTo(HOSTILE);
    browser.click(".log-window .log-row");
    browser.await("document.querySelector('.log-fields')?.innerText.includes('<script>')");
    assertThat(browser.evaluate("document.querySelector('.log-whole').textContent"))
        .isEqualTo(HOSTILE);
    keep("logs-hostile");
  }

  @Test
  void whatTheServerRefusesIsShownInItsWords() {
    browser.open(URI.create(server.link() + "logs?trace=12"));
    browser.await("document.querySelector('[role=alert]') !== null");

    assertThat(text("[role=alert]")).isEqualTo("trace is 12, which is no id of a trace");
    // A browser complains of every answer that is not 200.
    browser.complaints().removeIf(each -> each.contains("status of 400"));
  }

  @Test
  void aTelephoneShowsTheSame() throws Exception {
    open("");
    browser.resize(360, 740);
    browser.await("innerWidth === 360");
    browser.await("document.querySelector('.log-window .log-row').offsetHeight === 46");
    keep("logs-telephone");
    browser.click(".log-window .log-row:nth-of-type(11)");
    browser.await("document.querySelector('.log-fields')?.innerText.includes('thread')");
    keep("logs-telephone-open");
  }

  @Test
  void ofAHundredThousandLinesFewAreInThePageWhereverItIsScrolledTo() {
    open("");
    browser.evaluate(
        """
        (view => {
          const lines = Array.from({length: 100_000}, (_, seq) =>
            ({seq, time: 1.7e12 + seq, service: "s" + seq % 9, severity: 9, body: "line " + seq, thread: "t"}));
          view.model.replace({lines, older: false, newer: false});
          view.changed();
          view.list.toggle(lines[50_000]);
        })(document.querySelector("sennit-logs"))\
        """);
    browser.await("document.querySelector('.log-window').innerText.includes('line 99999')");
    // Long tasks come of long lists: whatever is scrolled to, few lines are in the page. The time
    // is
    // told and not judged, for it is as much that of what else this host does.
    String[] most =
        browser
            .evaluate(
                """
                (async list => {
                  const steps = 40;
                  let rows = 0;
                  let longest = 0;
                  for (let step = 1; step <= steps; step++) {
                    await new Promise(requestAnimationFrame);
                    const begin = performance.now();
                    list.scroller.scrollTop = (list.scroller.scrollHeight / steps) * (steps - step);
                    list.scrolled();
                    await list.updateComplete;
                    list.scroller.getBoundingClientRect();
                    longest = Math.max(longest, performance.now() - begin);
                    rows = Math.max(rows, document.querySelectorAll(".log-window .log-row").length);
                  }
                  return rows + " " + longest;
                })(document.querySelector("sennit-log-list"))\
                """)
            .split(" ", -1);
    System.out.println("longest step of scrolling in 100,000 lines: " + most[1] + " ms");

    assertThat(Integer.parseInt(most[0])).isBetween(10, 79);
    browser.await("document.querySelector('.log-window').innerText.includes('line 0')");
    // The opened line is not there; the server says so, and the browser complains of it.
    browser.complaints().removeIf(each -> each.contains("status of 404"));
  }

  /** Pictures are kept with what the build makes. */
  private static void keep(String name) throws IOException {
    Path pictures = Files.createDirectories(Path.of("target", "pictures"));
    browser.screenshot(pictures.resolve(name + ".png"));
  }
}
