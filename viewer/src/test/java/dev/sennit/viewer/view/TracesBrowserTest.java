/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.Browser;
import dev.sennit.testing.Requires;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The search for traces in a real browser. */
@Requires(commands = "chromium")
final class TracesBrowserTest {
  private static final long ORDER = 0xabcd;
  private static final long HOSTILE = 0xbad;

  @TempDir static Path folder;
  private static TracePage page;
  private static Browser browser;

  @BeforeAll
  static void start() throws Exception {
    SampleTraces traces = new SampleTraces();
    long now = TracePage.now();
    traces.addRequests(400, now - 2_000 * SampleTraces.MILLI);
    traces.addHostile(HOSTILE, now - 1_500 * SampleTraces.MILLI);
    traces.addOrder(ORDER, now - 1_000 * SampleTraces.MILLI);
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

  private static String lines() {
    return browser.evaluate("document.querySelector('sennit-trace-list').traces.length");
  }

  private static void change(String field, String value) {
    browser.evaluate(
        """
        (field => {
          field.value = "%s";
          field.dispatchEvent(new Event("change", {bubbles: true}));
        })(document.getElementById("%s"))\
        """
            .formatted(value, field));
  }

  private static void awaitLines(int count) {
    browser.await(
        "document.querySelector('sennit-trace-list')?.traces.length === %d".formatted(count));
  }

  @Test
  void tracesAreListedAndDrawn() throws Exception {
    page.open("traces", ".trace-line");

    assertThat(lines()).isEqualTo("200");
    assertThat(page.text(".trace-count [role=status]"))
        .isEqualTo("The latest 200 traces; there are more");
    assertThat(page.text("[data-trace=\"0\"]"))
        .contains("gateway", "POST /orders", "1 failed", "235 ms", "15 spans");
    assertThat(browser.evaluate("document.querySelectorAll('.trace-line').length < 60"))
        .as("only what is in sight is there")
        .isEqualTo("true");
    page.keep("traces-light");
    browser.preferDark(true);
    page.keep("traces-dark");
    browser.preferDark(false);
  }

  @Test
  void theAddressHasAllOfTheSearch() {
    page.open("traces?last=3600", ".trace-line");
    change("service", "mail");
    awaitLines(1);
    change("operation", "send confirmation");
    change("min", "70ms");
    change("max", "0.07s");
    change("status", "ok");
    browser.await("document.querySelector('.trace-empty') !== null");
    change("status", "");
    awaitLines(1);

    assertThat(page.search())
        .isEqualTo("?last=3600&service=mail&operation=send+confirmation&min=70ms&max=0.07s");
    String address = "traces" + page.search();
    page.open("traces", ".trace-line");
    page.open(address, ".trace-line");
    awaitLines(1);
    assertThat(browser.evaluate("document.getElementById('operation').value"))
        .isEqualTo("send confirmation");
    assertThat(page.text(".chips"))
        .isEqualTo(
            "service: mail × operation: send confirmation × at least 70ms × at most 0.07s × Clear"
                + " all");
    browser.await("document.querySelector('#services option[value=orders]') !== null");
    browser.click("#clear");
    awaitLines(200);
    assertThat(page.search()).isEqualTo("?last=3600");
  }

  @Test
  void whatIsTypedWrongIsSaidByTheServer() {
    page.open("traces", ".trace-line");
    change("min", "quick");
    page.awaitText("[role=alert]", "min is quick, but must be a duration such as 250ms");
    browser.complaints().removeIf(complaint -> complaint.contains("400"));
    change("min", "1h");
    page.awaitText(".trace-empty", "No trace meets all of these conditions");
  }

  @Test
  void aDraggedRectangleRestrictsTimeAndDuration() throws Exception {
    page.open("traces", ".trace-line");
    double[] box = page.box("sennit-trace-scatter canvas");
    double left = box[0] + box[2] * 0.3;
    double right = box[0] + box[2] * 0.7;
    double top = box[1] + box[3] * 0.3;
    double bottom = box[1] + box[3] * 0.6;

    browser.beginDrag(left, top, right, bottom);
    assertThat(browser.evaluate("document.querySelector('.brush').hidden")).isEqualTo("false");
    page.keep("traces-dragging");
    browser.press("Escape");
    browser.drag(1, 1, 2, 2);
    assertThat(browser.evaluate("document.querySelector('.brush').hidden")).isEqualTo("true");
    assertThat(page.search()).isEmpty();

    browser.drag(left, top, right, bottom);
    browser.await("location.search.includes('from=')");
    browser.await("document.querySelector('.trace-picture') !== null");
    assertThat(page.search()).contains("from=", "to=", "min=", "max=");
    browser.await("document.querySelector('sennit-trace-list').traces.length < 200");
    assertThat(Integer.parseInt(lines())).isGreaterThan(5);
    String inside =
        browser.evaluate(
            """
            document.querySelector('sennit-trace-scatter').answer.points.every(point =>
              point.start >= new URLSearchParams(location.search).get('from')
                && point.start <= new URLSearchParams(location.search).get('to'))\
            """);
    assertThat(inside).isEqualTo("true");
    page.keep("traces-restricted");
    browser.click("#clear");
    awaitLines(200);
    assertThat(page.search()).isEmpty();
  }

  @Test
  void aPointTellsWhatItIsAndOpensItsTrace() {
    page.open("traces?service=mail", ".trace-line");
    awaitLines(1);
    browser.await("document.querySelector('sennit-trace-scatter').placed?.length === 1");
    double[] box = page.box("sennit-trace-scatter canvas");
    String[] place =
        browser
            .evaluate(
                "(p => p.x + ' ' + p.y)(document.querySelector('sennit-trace-scatter').placed[0])")
            .split(" ");
    double x = box[0] + Double.parseDouble(place[0]);
    double y = box[1] + Double.parseDouble(place[1]);

    browser.hover(x, y);
    page.awaitText(".trace-hint", "70 ms");
    browser.click(x, y);
    browser.await("location.pathname.startsWith('/traces/')");
    page.awaitText("sennit-span h2", "send confirmation");
    browser.evaluate("history.back()");
    browser.await("location.pathname === '/traces' && location.search === '?service=mail'");
    browser.await("document.querySelector('.trace-line') !== null");
  }

  @Test
  void keysGoThroughTheListAndIntoTheSearch() {
    page.open("traces", ".trace-line");
    browser.press("j");
    browser.press("ArrowDown");
    browser.press("j");
    browser.press("k");
    assertThat(browser.evaluate("document.activeElement.dataset.trace")).isEqualTo("1");
    for (int i = 0; i < 60; i++) {
      browser.evaluate("document.querySelector('sennit-trace-list').move(1)");
    }
    assertThat(browser.evaluate("document.activeElement.dataset.trace")).isEqualTo("61");
    browser.press("/");
    assertThat(browser.evaluate("document.activeElement.id")).isEqualTo("text");
    browser.press("Escape");
    assertThat(browser.evaluate("document.activeElement.id")).isNotEqualTo("text");
    browser.press("?");
    assertThat(page.text(".trace-keys")).contains("open the trace");
    browser.press("Escape");
    browser.press("/");
    browser.type(" " + SampleTraces.trace(ORDER).toUpperCase(Locale.ROOT));
    browser.press("Enter");
    browser.await("location.pathname === '/traces/" + SampleTraces.trace(ORDER) + "'");
  }

  @Test
  void theSlowestComeFirstOnDemandAndMoreAreShown() {
    page.open("traces", ".trace-line");
    browser.click("#slowest");
    browser.await("document.querySelector('#slowest').getAttribute('aria-pressed') === 'true'");
    browser.await(
        "(t => t[0].duration >= t[1].duration && t[0].duration > 200e6)"
            + "(document.querySelector('sennit-trace-list').traces)");
    assertThat(page.search()).isEqualTo("?sort=slowest");
    browser.evaluate("document.querySelector('.trace-more button').click()");
    browser.await("document.querySelector('sennit-trace-list').traces.length > 200");
    browser.evaluate("scrollTo(0, document.body.scrollHeight)");
    browser.await(
        "(l => document.querySelector(`[data-trace=\"${l.traces.length - 1}\"]`) !== null)"
            + "(document.querySelector('sennit-trace-list'))");
  }

  @Test
  void aTelephoneShowsTheSameAndStrangersNamesAreText() throws Exception {
    page.open("traces", ".trace-line");
    browser.resize(360, 740);
    browser.await("innerWidth === 360");
    browser.evaluate("scrollTo(0, 350)");
    page.keep("traces-telephone");

    assertThat(page.text("[data-trace=\"1\"]")).contains("<script>window.broken = true</script>");
    assertThat(browser.evaluate("document.querySelector('[data-trace=\"1\"]').offsetHeight"))
        .isEqualTo(browser.evaluate("document.querySelector('[data-trace=\"0\"]').offsetHeight"));
  }
}
