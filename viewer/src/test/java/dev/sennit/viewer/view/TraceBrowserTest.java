/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.Browser;
import dev.sennit.testing.Requires;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One trace in a real browser. */
@Requires(commands = "chromium")
final class TraceBrowserTest {
  private static final long ORDER = 0xabcd;
  private static final long HOSTILE = 0xbad;
  private static final String ADDRESS = "traces/" + SampleTraces.trace(ORDER);
  private static final int DECLINED = 12;
  private static final int ROWS = 15;

  @TempDir static Path folder;
  private static TracePage page;
  private static Browser browser;

  @BeforeAll
  static void start() throws Exception {
    SampleTraces traces = new SampleTraces();
    traces.addOrder(ORDER, TracePage.now() - 1_000 * SampleTraces.MILLI);
    traces.addHostile(HOSTILE, TracePage.now());
    page = TracePage.start(folder, traces);
    browser = page.browser;
  }

  @AfterAll
  static void stop() {
    page.close();
  }

  @AfterEach
  void nothingCameFromElsewhereAndNothingWasComplainedOf() {
    page.assertInOrder();
  }

  private static String selected() {
    return browser.evaluate("document.querySelector('[aria-selected=true] .name')?.textContent");
  }

  private static String rows() {
    return browser.evaluate("document.querySelectorAll('.waterfall-name').length");
  }

  private static String shown() {
    return browser.evaluate(
        "(s => Math.round(s.from / 1e6) + ' ' + Math.round(s.to / 1e6))"
            + "(document.querySelector('sennit-waterfall').shown)");
  }

  @Test
  void aTraceIsAWaterfall() throws Exception {
    page.open(ADDRESS, ".waterfall-name");

    assertThat(rows()).isEqualTo(Integer.toString(ROWS));
    assertThat(page.text(".trace-head"))
        .contains("gateway POST /orders", "235 ms", "15 spans", "1 failed", "4 log lines");
    assertThat(browser.evaluate("document.title")).isEqualTo("POST /orders · Sennit");
    page.keep("trace-light");
    browser.preferDark(true);
    page.keep("trace-dark");
    browser.preferDark(false);
  }

  @Test
  void aLinkOpensTheSameSpanWithAllThatIsKnownOfIt() throws Exception {
    page.open(ADDRESS + "?span=" + SampleTraces.span(DECLINED), "#span-tab dl");

    assertThat(selected()).isEqualTo("POST /charge");
    assertThat(page.text("#span-tab"))
        .contains("card declined", "exception.type", "CardDeclinedException")
        .contains("Itself 16 ms, 100 %")
        .contains("host.name here", "process.pid 4711");
    assertThat(
            browser.evaluate(
                "document.querySelector('#span-tab a[href^=\"/traces/\"]').getAttribute('href')"))
        .isEqualTo("/traces/" + SampleTraces.trace(0x1000) + "?span=" + SampleTraces.span(1));
    page.keep("trace-span");
    browser.click("#tab-lines");
    page.awaitText("#span-tab", "declined: insufficient funds");
    assertThat(page.search()).contains("tab=lines");
    assertThat(browser.evaluate("document.querySelector('.span-lines a').getAttribute('href')"))
        .matches("/logs\\?trace=" + SampleTraces.trace(ORDER) + "&at=[0-9]{13}");
    assertThat(page.text(".span-links")).isEqualTo("All lines of the trace");
    page.open(ADDRESS + page.search(), ".span-lines");
    assertThat(selected()).isEqualTo("POST /charge");
  }

  @Test
  void theFlameGraphOfASpanIsAskedForBesideIt() {
    page.open(
        ADDRESS + "?span=" + SampleTraces.span(DECLINED) + "&tab=flame", "sennit-span-flame a");

    assertThat(
            browser.evaluate("document.querySelector('sennit-span-flame a').getAttribute('href')"))
        .isEqualTo(
            "/profiles?trace="
                + SampleTraces.trace(ORDER)
                + "&span="
                + SampleTraces.span(DECLINED));
    browser.click("sennit-span-flame .segments button:last-child");
    assertThat(
            browser.evaluate("document.querySelector('sennit-span-flame a').getAttribute('href')"))
        .isEqualTo("/profiles?trace=" + SampleTraces.trace(ORDER));
    browser.await("document.querySelector('sennit-span-flame [role=alert]') !== null");
    // There are no profiles in this test's server, which the browser's console deplores.
    browser.complaints().clear();
  }

  @Test
  void keysSelectFoldAndLeave() {
    page.open(ADDRESS, ".waterfall-name");
    browser.press("ArrowDown");
    browser.press("ArrowDown");
    assertThat(selected()).isEqualTo("authenticate");
    browser.press("ArrowUp");
    assertThat(selected()).isEqualTo("POST /orders");
    assertThat(page.search()).isEqualTo("?span=" + SampleTraces.span(1));
    browser.press("ArrowLeft");
    assertThat(rows()).isEqualTo("1");
    assertThat(page.text(".waterfall-name")).contains("+14", "¡");
    browser.press("ArrowRight");
    assertThat(rows()).isEqualTo("15");
    browser.press("[");
    assertThat(rows()).isEqualTo("1");
    browser.press("]");
    assertThat(rows()).isEqualTo("15");
    browser.press("?");
    assertThat(page.text(".trace-keys")).contains("fold all");
    browser.press("Escape");
    assertThat(browser.evaluate("document.querySelector('.trace-keys')")).isEqualTo("null");
    browser.press("Escape");
    assertThat(browser.evaluate("document.querySelector('sennit-span')")).isEqualTo("null");
    assertThat(page.search()).isEmpty();
  }

  @Test
  void clicksSelectAndFold() {
    page.open(ADDRESS, ".waterfall-name");
    browser.click("[data-index=\"3\"] .fold");
    assertThat(rows()).isEqualTo("4");
    browser.click("[data-index=\"3\"] .fold");
    assertThat(rows()).isEqualTo("15");
    browser.click("[data-index=\"3\"] .name");
    assertThat(page.search()).isEqualTo("?span=" + SampleTraces.span(4));
    double[] box = page.box(".bars");
    browser.hover(box[0] + box[2] * 0.03, box[1] + 28 * 1.5);
    page.awaitText(".trace-hint", "authenticate");
    browser.click(box[0] + box[2] * 0.5, box[1] + 28 * 1.5);
    assertThat(selected()).isEqualTo("authenticate");
    browser.click(".span-head button");
    assertThat(selected()).isEqualTo("undefined");
  }

  @Test
  void draggingZoomsAndEscapeShowsAll() throws Exception {
    page.open(ADDRESS, ".waterfall-name");
    double[] box = page.box(".waterfall-whole");
    double y = box[1] + box[3] / 2;
    browser.drag(box[0] + box[2] * 0.2, y, box[0] + box[2] * 0.6, y);
    assertThat(shown()).isEqualTo("47 141");
    page.keep("trace-zoomed");
    double[] bars = page.box(".bars");
    browser.drag(bars[0] + bars[2] * 0.75, bars[1] + 100, bars[0] + bars[2] * 0.25, bars[1] + 200);
    assertThat(shown()).matches("7[01] 11[78]");
    browser.beginDrag(bars[0] + 50, bars[1] + 50, bars[0] + 150, bars[1] + 50);
    browser.press("Escape");
    assertThat(browser.evaluate("document.querySelector('.brush').hidden")).isEqualTo("true");
    assertThat(shown()).matches("7[01] 11[78]");
    browser.press("Escape");
    assertThat(shown()).isEqualTo("0 235");
    browser.wheel(bars[0] + bars[2] / 2, bars[1] + 100, 0, -300, true);
    browser.await("document.querySelector('sennit-waterfall').isZoomed()");
    browser.click("#all-time");
    assertThat(shown()).isEqualTo("0 235");
    browser.press("ArrowDown");
    browser.press("ArrowDown");
    browser.press("f");
    assertThat(shown()).isEqualTo("1 12");
    browser.press("Escape");
    assertThat(shown()).isEqualTo("0 235");
  }

  @Test
  void whatIsInASpanIsFound() {
    page.open(ADDRESS, ".waterfall-name");
    browser.press("/");
    browser.type("Select price");
    page.awaitText(".trace-find", "1");
    browser.press("Enter");
    assertThat(selected()).isEqualTo("SELECT prices");
    assertThat(page.search()).contains("find=Select+price", "span=" + SampleTraces.span(8));
    browser.evaluate("document.getElementById('find').select()");
    browser.type("charge");
    page.awaitText(".trace-find", "3");
    browser.press("Enter");
    browser.press("Enter");
    browser.press("Escape");
    assertThat(selected()).isEqualTo("POST /charge");
    assertThat(browser.evaluate("document.querySelector('#find').value")).isEmpty();
  }

  @Test
  void statisticsAreByServiceAndOperation() throws Exception {
    page.open(ADDRESS + "?view=statistics", "#statistics");

    assertThat(browser.evaluate("document.querySelectorAll('#statistics tbody tr').length"))
        .isEqualTo("14");
    assertThat(
            browser.evaluate(
                """
                [...document.querySelectorAll('#statistics tbody tr')]
                  .map(row => [...row.cells].map(cell => cell.textContent.trim()).join('|'))
                  .find(line => line.startsWith('payments'))\
                """))
        .isEqualTo("payments|POST /charge|2|1|49 ms|24.5 ms|49 ms|17.2 %");
    page.keep("trace-statistics");
    browser.click("#statistics tbody .link");
    browser.await("location.search.startsWith('?find=')");
    assertThat(rows()).isEqualTo("15");
  }

  @Test
  void aTelephoneShowsTheSame() throws Exception {
    page.open(ADDRESS + "?span=" + SampleTraces.span(DECLINED), "#span-tab dl");
    browser.resize(360, 740);
    browser.await("innerWidth === 360");
    page.keep("trace-telephone");
    browser.evaluate("document.querySelector('sennit-span').scrollIntoView()");
    page.keep("trace-telephone-span");
  }

  @Test
  void strangersNamesAreText() throws Exception {
    page.open(
        "traces/" + SampleTraces.trace(HOSTILE) + "?span=" + SampleTraces.span(ROWS + 1),
        "#span-tab dl");
    assertThat(page.text(".waterfall-name .name")).startsWith("<script>window.broken");
    assertThat(page.text("#span-tab")).contains("<script>window.broken", "characters");
    browser.click("#span-tab .link");
    page.keep("trace-hostile");
    browser.click("#tab-lines");
    page.awaitText("#span-tab", "<script>window.broken");
    page.assertInOrder();
    page.open("traces/" + SampleTraces.trace(HOSTILE) + "?view=statistics", "#statistics");
  }

  @Test
  void aTraceThatIsNotThereIsSaidToBeMissing() {
    page.open("traces/" + SampleTraces.trace(1), "[role=alert]");
    assertThat(page.text("[role=alert]")).contains("there is no trace");
    browser.complaints().removeIf(complaint -> complaint.contains("404"));
  }
}
