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
import dev.sennit.viewer.receive.OtlpReceiver;
import dev.sennit.viewer.receive.ReceiverSettings;
import dev.sennit.viewer.web.ReceiverView;
import dev.sennit.viewer.web.Site;
import dev.sennit.viewer.web.WebServer;
import dev.sennit.viewer.web.WebSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The overview in a real browser, over a store with services that call each other. */
@Requires(commands = "chromium")
final class OverviewBrowserTest {
  private static final long SECOND = 1_000_000_000;
  private static final long NOW = System.currentTimeMillis() / 1000 * SECOND;
  private static final long DAY = 86_400 * SECOND;
  private static final String HOSTILE = "<script>window.broken = true</script>";
  private static final String MIRRORED = "live\u202etxt.exe";
  private static final String LONG = "long".repeat(2_500);

  @TempDir static Path folder;
  private static TelemetryStore store;
  private static OtlpReceiver receiver;
  private static WebServer server;
  private static Browser browser;

  @BeforeAll
  static void start() throws Exception {
    store = TelemetryStore.temporary(StoreSettings.TEMPORARY);
    fillShop();
    fillSixty(NOW - 2 * DAY);
    fillHostile(NOW - 3 * DAY);
    receiver = OtlpReceiver.start(ReceiverSettings.onLoopback(0, 0), store);
    ReceiverView view = new ReceiverView(receiver);
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

  private static void fillShop() throws InterruptedException {
    SampleServices services = new SampleServices(store);
    for (int i = 0; i < 700; i++) {
      long start = NOW - 700 * SECOND + i * SECOND;
      long load = 20 + (long) (15 * Math.sin(i / 60.0)) + i * 7 % 11;
      SampleServices.Made request =
          services.request("gateway", i % 3 == 0 ? "GET /cart" : "POST /orders", start, 5 * load);
      services.call(request, "accounts", "GET /account", load, i % 50 == 0);
      if (i % 3 != 0) {
        boolean failed = i > 400 && i % 7 == 0;
        SampleServices.Made order =
            services.call(request, "orders", "POST /orders", 3 * load, failed);
        services.callOutside(order, "postgresql", "INSERT orders", load, false);
        SampleServices.Made price =
            services.call(order, "prices", "GET /price/{id}", load / 2, failed);
        services.callOutside(price, "redis", "GET", 1, false);
        if (i % 10 == 0) {
          services.call(price, "orders", "GET /orders/{id}/discount", 4, false);
          services.callOutside(price, "prices", "GET /price/{id}/again", 3, false);
        }
      }
    }
    services.send();
  }

  /** Sixty services in which a few are called by many. */
  private static void fillSixty(long start) throws InterruptedException {
    SampleServices services = new SampleServices(store);
    Random random = new Random(60);
    for (int i = 0; i < 60; i++) {
      for (int j = 0; j < 2; j++) {
        SampleServices.Made caller =
            services.request(name(random.nextInt(30)), "GET /", start, 20 + i);
        SampleServices.Made callee =
            services.call(caller, name(20 + i * 40 / 60), "GET /" + i, 10, i % 17 == 0);
        services.callOutside(callee, "database-" + i % 4, "SELECT", 3, false);
      }
    }
    for (int i = 0; i < 60; i++) {
      services.request(name(i), "GET /health", start, 1);
    }
    services.send();
  }

  private static String name(int number) {
    return "service-%02d".formatted(number);
  }

  private static void fillHostile(long start) throws InterruptedException {
    SampleServices services = new SampleServices(store);
    SampleServices.Made request = services.request(HOSTILE, HOSTILE, start, 10);
    SampleServices.Made second = services.call(request, MIRRORED, MIRRORED, 8, false);
    SampleServices.Made third = services.call(second, LONG, LONG, 6, true);
    services.callOutside(third, "<b>" + LONG, HOSTILE, 2, true);
    services.send();
  }

  private static void open(String address) {
    browser.open(URI.create(server.link() + address));
    browser.await("document.querySelector('#received') !== null");
    browser.await(
        "document.querySelector('sennit-services tbody tr, .beginning') !== null"
            + " && document.querySelector('.waiting') === null");
  }

  private static String around(long time) {
    return "from=" + (time - SECOND) / 1_000_000 + "&to=" + (time + 60 * SECOND) / 1_000_000;
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
  void servicesHaveRatesErrorsAndLatencies() throws Exception {
    open("");

    assertThat(names("sennit-services tbody bdi")).isEqualTo("accounts, gateway, orders, prices");
    assertThat(text("sennit-services tbody tr:nth-child(2)"))
        .matches("(?s)\\s*gateway\\s+[0-9.]+/s\\s+0 %\\s+\\d+ ms\\s+\\d+ ms\\s+\\d+ ms\\s+.*");
    assertThat(text("sennit-services tbody tr:nth-child(3) [data-name=errors]"))
        .matches("[0-9.]+ %");
    assertThat(
            browser.evaluate(
                "[...document.querySelectorAll('sennit-services tbody tr:nth-child(3) .line')]"
                    + ".every(line => line.getTotalLength() > 100)"))
        .isEqualTo("true");
    keep("overview-services-light");
    browser.preferDark(true);
    keep("overview-services-dark");
    browser.preferDark(false);
  }

  @Test
  void aServiceTellsWhatItDoes() throws Exception {
    open("?last=1800");
    browser.click("sennit-services tbody tr:nth-child(3) button");
    browser.await("document.querySelector('.operations') !== null");

    assertThat(browser.evaluate("location.search")).isEqualTo("?last=1800&service=orders");
    assertThat(names(".operations tbody bdi"))
        .contains("POST /orders", "INSERT orders", "GET /orders/{id}/discount");
    assertThat(names(".calls bdi")).isEqualTo("gateway, prices, postgresql, prices");
    assertThat(addresses(".drawer > .links a"))
        .isEqualTo(
            "/traces?last=1800&service=orders, /profiles?last=1800&service=orders,"
                + " /logs?last=1800&service=orders");
    assertThat(addresses(".operations a"))
        .contains("/traces?last=1800&service=orders&operation=INSERT+orders");
    keep("overview-service");

    browser.press("Escape");
    assertThat(browser.evaluate("location.search")).isEqualTo("?last=1800");
    assertThat(browser.evaluate("document.activeElement.textContent")).isEqualTo("orders");
    browser.evaluate("history.back()");
    browser.await("document.querySelector('.drawer h2')?.textContent.trim() === 'orders'");
  }

  @Test
  void aLinkOpensTheSameService() {
    open("?service=prices&sort=p99");
    browser.await("document.querySelector('.operations') !== null");

    assertThat(text(".drawer h2")).isEqualTo("prices");
    assertThat(names("sennit-services tbody bdi")).isEqualTo("gateway, orders, accounts, prices");
    browser.evaluate("document.querySelector('.drawer button').click()");
    browser.click("sennit-services th:nth-child(2) button");
    assertThat(browser.evaluate("location.search")).isEqualTo("?sort=rate");
  }

  @Test
  void theMapShowsWhoCallsWhomAndIsLedByKeys() throws Exception {
    open("");
    browser.await("document.querySelectorAll('.map .node').length === 6");

    assertThat(names(".map .node.outside .name")).isEqualTo("postgresql, redis");
    assertThat(browser.evaluate("document.querySelectorAll('.map .call').length")).isEqualTo("7");
    assertThat(addresses(".map .rate"))
        .contains("/traces?service=accounts", "/traces?service=orders", "/traces?service=prices");
    assertThat(browser.evaluate("document.querySelectorAll('.map [tabindex=\"0\"]').length"))
        .isEqualTo("1");

    browser.evaluate("document.querySelector('.map [data-name=gateway]').focus()");
    browser.press("ArrowRight");
    browser.press("ArrowDown");
    String second = browser.evaluate("document.activeElement.dataset.name");
    assertThat(second).isIn("orders", "accounts");
    browser.press("ArrowLeft");
    assertThat(browser.evaluate("document.activeElement.dataset.name")).isEqualTo("gateway");
    browser.evaluate("document.activeElement.scrollIntoView({block: 'center'})");
    keep("overview-map");
    browser.evaluate("document.querySelector('.map [data-name=redis]').click()");
    browser.await("document.querySelector('.drawer') !== null");
    assertThat(text(".drawer")).contains("Seen only from outside", "Called by", "prices");
  }

  @Test
  void sixtyServicesStayReadable() throws Exception {
    open("?" + around(NOW - 2 * DAY));
    browser.await("document.querySelectorAll('.map .node').length > 50");

    assertThat(
            browser.evaluate(
                """
                (() => {
                  const all = [...document.querySelectorAll(".map .node")].map(each => each.getBoundingClientRect());
                  return all.filter((a, i) => all.some((b, j) => i < j
                    && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)).length;
                })()\
                """))
        .as("nodes that cover each other")
        .isEqualTo("0");
    browser.resize(1280, 2400);
    keep("overview-sixty");
  }

  @Test
  void namesOfStrangersAreText() throws Exception {
    open("?" + around(NOW - 3 * DAY));
    browser.await("document.querySelectorAll('.map .node').length === 4");

    assertThat(text("sennit-services")).contains(HOSTILE, MIRRORED, LONG);
    keep("overview-hostile");
    for (int i = 1; i <= 3; i++) {
      browser.evaluate(
          "document.querySelector('sennit-services tbody tr:nth-child(%d) button').click()"
              .formatted(i));
      browser.await("document.querySelector('.operations, .drawer [role=alert]') !== null");
      assertThat(browser.evaluate("document.documentElement.scrollWidth <= innerWidth"))
          .isEqualTo("true");
    }
    assertThat(text(".drawer [role=alert]")).contains("too long");
    keep("overview-hostile-service");
    assertThat(browser.evaluate("window.broken")).isEqualTo("undefined");
  }

  @Test
  void aTelephoneShowsTheSame() throws Exception {
    open("");
    browser.resize(360, 1600);
    browser.await("innerWidth === 360");
    keep("overview-services-telephone");
    browser.evaluate("document.querySelector('sennit-services button.service').click()");
    browser.await("document.querySelector('.operations') !== null");
    keep("overview-service-telephone");
  }

  @Test
  void whatComesIsShownByItself() throws Exception {
    open("?last=7200");
    SampleServices services = new SampleServices(store);
    services.request("newcomer", "GET /", NOW - 3600 * SECOND, 1);
    services.send();

    browser.await("document.querySelector('sennit-services').textContent.includes('newcomer')");
    assertThat(text(".alone")).contains("newcomer");
  }

  @Test
  void whereThereIsNothingItSaysHowToBegin() throws Exception {
    open("?from=1000&to=2000");

    assertThat(text(".beginning")).contains("sennit run -- COMMAND");
    assertThat(text(".receiver"))
        .contains(
            "OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:" + receiver.httpAddress().getPort());
    keep("overview-empty");
  }

  private static String text(String selector) {
    return browser.evaluate("document.querySelector('" + selector + "').textContent").strip();
  }

  private static String names(String selector) {
    return browser.evaluate(
        "[...document.querySelectorAll('" + selector + "')].map(e => e.textContent).join(', ')");
  }

  private static String addresses(String selector) {
    return browser.evaluate(
        "[...document.querySelectorAll('"
            + selector
            + "')].map(e => e.getAttribute('href')).join(', ')");
  }

  private static void keep(String name) throws IOException {
    Path pictures = Files.createDirectories(Path.of("target", "pictures"));
    browser.screenshot(pictures.resolve(name + ".png"));
  }
}
