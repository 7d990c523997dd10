/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import static dev.sennit.viewer.view.FlameCanvas.CANVAS;
import static dev.sennit.viewer.view.FlameCanvas.FLAME;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.Browser;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The view of profiles in a real browser, over a real store. */
@Requires(commands = "chromium")
final class ProfilesBrowserTest {

  @TempDir static Path folder;
  private static ProfileSite site;
  private static Browser browser;
  private static FlameCanvas flame;

  @BeforeAll
  static void start() throws Exception {
    site = new ProfileSite();
    browser = Browser.start(folder.resolve("browser"));
    flame = new FlameCanvas(browser);
  }

  @AfterAll
  static void stop() {
    browser.close();
    site.close();
  }

  @AfterEach
  void nothingCameFromElsewhereAndNothingWasComplainedOf() {
    // The browser draws its own fields with pictures that are nowhere else.
    assertThat(browser.requests())
        .allMatch(url -> url.startsWith(site.root()) || url.startsWith("data:image/"));
    assertThat(browser.complaints()).isEmpty();
    assertThat(browser.evaluate("document.documentElement.scrollWidth <= innerWidth"))
        .as("no scrolling to the side")
        .isEqualTo("true");
    assertThat(browser.evaluate("window.broken")).isEqualTo("undefined");
  }

  @Test
  void aFlameGraphIsDrawnInBothColours() throws IOException {
    open("profiles?service=shop", 100);
    assertThat(browser.evaluate(CANVAS + ".getAttribute('aria-label')"))
        .startsWith("Flame graph of cpu: 100 samples; most in acme.Cart.total itself: 50 %");
    assertThat(flame.distance(0.1, 1, "--frame-jvm")).isLessThan(100);
    assertThat(flame.distance(0.9, 2, "--frame-kernel")).isLessThan(100);
    assertThat(flame.distance(0.1, 1, "--frame-kernel")).isGreaterThan(100);
    assertThat(flame.colourAt(0.5, 4)).as("nothing").isEqualTo(flame.colour("--surface-raised"));
    assertThat(text(".flame-legend")).contains("jvm 60 %", "native 20 %", "kernel 20 %");
    keep("profiles-light");
    browser.preferDark(true);
    browser.await(flame.at(0.5, 4) + " === '" + flame.colour("--surface-raised") + "'");
    assertThat(flame.distance(0.1, 1, "--frame-jvm")).isLessThan(100);
    keep("profiles-dark");
    browser.preferDark(false);
  }

  @Test
  void thePointerTellsAndClicksZoom() {
    open("profiles?service=shop", 100);
    flame.hover(0.3, 3);
    assertThat(text(".flame-tip"))
        .contains(
            "acme.Cart.total",
            "jvm · Source.java",
            "70 samples, 70 % of all",
            "itself 50 samples, 50 % of all");
    flame.click(0.3, 2);
    assertThat(text(".flame-path")).isEqualTo("all › main › run");
    flame.hover(0.1, 3);
    assertThat(text(".flame-tip")).contains("70 samples, 70 % of all, 87.5 % of run");
    browser.press("Escape");
    assertThat(text(".flame-path")).isEqualTo("all");
    flame.click(0.3, 2);
    browser.doubleClick(flame.x(0.5), flame.y(3));
    assertThat(text(".flame-path")).isEqualTo("all");
    browser.hover(5, 5);
    assertThat(browser.evaluate("document.querySelector('.flame-tip').hidden")).isEqualTo("true");
  }

  @Test
  void aSearchTellsTheShareOfWhatItFoundAndStandsInTheAddress() {
    open("profiles?service=shop", 100);
    browser.press("/");
    browser.type("CART");
    browser.await(FLAME + ".search?.text === 'CART'");
    assertThat(text(".flame-found")).startsWith("70 % in 1 place");
    assertThat(browser.evaluate("location.search")).contains("search=CART");
    browser.press("Escape");
    browser.await(FLAME + ".search === undefined");
    browser.press("/");
    browser.type("/^(read|schedule)/");
    browser.await(FLAME + ".search?.nodes.length === 2");
    assertThat(text(".flame-found")).startsWith("40 % in 2 places");
    browser.evaluate(CANVAS + ".focus()");
    browser.press("n");
    assertThat(text(".flame-path")).isEqualTo("all › main › run › Cart.total › read()");
    assertThat(text(".flame-found")).startsWith("40 % in 1 of 2 places");
    browser.press("n");
    assertThat(text(".flame-path")).isEqualTo("all › main › schedule[k]");
    browser.press("N");
    assertThat(text(".flame-path")).endsWith("read()");
    browser.click(".flame-search");
    browser.evaluate("document.querySelector('.flame-search').select()");
    browser.type("/(/");
    browser.await(FLAME + ".wrong !== undefined");
    assertThat(text(".flame-found")).contains("Invalid regular expression");
    browser.press("Escape");
  }

  @Test
  void theKeyboardWalksFromFrameToFrame() {
    open("profiles?service=shop", 100);
    browser.evaluate(CANVAS + ".focus()");
    for (String key : new String[] {"ArrowDown", "ArrowDown", "ArrowDown"}) {
      browser.press(key);
    }
    assertThat(text(".flame-said")).startsWith("run · jvm");
    browser.press("ArrowRight");
    assertThat(text(".flame-said")).startsWith("schedule[k] · kernel");
    browser.press("ArrowLeft");
    browser.press("Enter");
    assertThat(text(".flame-path")).isEqualTo("all › main › run");
    browser.press("ArrowUp");
    assertThat(text(".flame-said")).startsWith("main · jvm");
    browser.press("t");
    browser.await("document.querySelectorAll('.flame-rows tbody tr').length === 6");
    browser.press("t");
    browser.press("i");
    browser.await(FLAME + ".tree === " + FLAME + ".backward");
    assertThat(browser.evaluate("location.search")).contains("reverse=1").doesNotContain("form");
  }

  @Test
  void theTableHasTheHottestFrames() throws IOException {
    open("profiles?service=shop&form=table", 100);
    browser.await("document.querySelectorAll('.flame-rows tbody tr').length === 6");
    assertThat(text(".flame-rows tbody tr"))
        .isEqualTo("acme.Cart.total Source.java 50 samples 50 % 70 samples 70 %");
    keep("profiles-table");
    browser.click(".flame-rows th:nth-of-type(4) button");
    browser.await("document.querySelector('.flame-rows tbody tr').textContent.includes('main')");
    browser.click(".flame-rows tbody tr:nth-child(3) .flame-name button");
    browser.await(FLAME + ".form === 'graph' && " + FLAME + ".zoomed > 0");
    assertThat(text(".flame-path")).endsWith("Cart.total");
  }

  @Test
  void linksSetFiltersThatCanBeTakenOff() throws IOException {
    open("profiles?trace=" + ProfileSite.TRACE + "&span=" + ProfileSite.SPAN, 10);
    assertThat(browser.evaluate("document.querySelector('#chip-trace a').getAttribute('href')"))
        .isEqualTo("/traces/" + ProfileSite.TRACE);
    keep("profiles-span");
    browser.click("#chip-span button");
    browser.await("!document.querySelector('#chip-span')");
    assertThat(browser.evaluate("location.search")).isEqualTo("?trace=" + ProfileSite.TRACE);
    browser.click("#chip-trace button");
    browser.await(FLAME + ".tree?.totals[0][0] === 155");
    browser.evaluate("history.back()");
    browser.await(FLAME + ".tree?.totals[0][0] === 10");
    assertThat(browser.evaluate("document.querySelector('#chip-trace') !== null"))
        .isEqualTo("true");
  }

  @Test
  void whatIsChosenIsShownAndStandsInTheAddress() {
    open("profiles", 155);
    choose("service", "shop");
    awaitTotal(100);
    choose("thread", "http-1");
    awaitTotal(10);
    choose("thread", "");
    awaitTotal(100);
    choose("name", "GET /prices");
    awaitTotal(10);
    choose("name", "");
    awaitTotal(100);
    choose("type", "allocated_space");
    awaitTotal(4096);
    assertThat(browser.evaluate("location.search")).isEqualTo("?service=shop&type=allocated_space");
    choose("range", "300");
    browser.await("document.querySelector('.profiles-nothing') !== null");
    assertThat(text(".profiles-nothing")).contains("No samples of Allocations here");
  }

  @Test
  void whatCameMeanwhileIsShownWhenAskedFor() throws Exception {
    open("profiles?service=late&type=wall&compare=service%3Dshop", 0);
    site.send(
        new ProfileRequest("late", "wall", "count")
            .add(System.currentTimeMillis(), 3, "", List.of("main"))
            .build());
    browser.click("#refresh");
    awaitTotal(3);
  }

  @Test
  void aRangeOfTheStripIsDraggedOrChosenByKeys() {
    long from = site.begin;
    open("profiles?service=shop&from=" + from + "&to=" + (from + 4000), 100);
    String strip = "document.querySelector('sennit-profile-strip canvas').getBoundingClientRect()";
    browser.await("document.querySelector('sennit-profile-strip').answer !== undefined");
    double left = number(strip + ".left");
    double width = number(strip + ".width");
    double y = number(strip + ".top + 20");
    browser.drag(left + 0.2 * width, y, left + 0.7 * width, y);
    awaitTotal(30);
    assertThat(browser.evaluate("document.querySelector('#chip-time') !== null")).isEqualTo("true");
    browser.evaluate("history.back()");
    awaitTotal(100);
    browser.await("document.querySelector('sennit-profile-strip').answer?.from === " + from);
    browser.evaluate("document.querySelector('sennit-profile-strip canvas').focus()");
    browser.press("ArrowRight");
    browser.press("Enter");
    awaitTotal(50);
  }

  @Test
  void twoSelectionsAreComparedAndTheAddressKeepsIt() throws IOException {
    open("profiles?service=shop", 100);
    browser.click("#compare");
    browser.await("document.querySelector('#compare-service') !== null");
    keep("profiles-compare-choice");
    choose("compare-service", "orders");
    browser.click("#compare-with-service");
    browser.await(FLAME + ".tree?.totals.length === 2");
    assertThat(browser.evaluate("location.search"))
        .isEqualTo("?service=shop&compare=service%3Dorders");
    browser.open(URI.create(browser.evaluate("location.href")));
    browser.await(FLAME + "?.tree?.totals.length === 2");
    assertThat(text("#chip-compare")).contains("compared with service orders");
    assertThat(flame.total("run")).isEqualTo("80,40");
    flame.hoverNode("acme.Prices.load");
    assertThat(text(".flame-tip"))
        .contains(
            "here 10 samples, 10 % of all",
            "other 30 samples, 60 % of all",
            "change −50 points",
            "itself 10 % here, 60 % other: −50 points");
    flame.hoverNode("acme.Cart.total");
    assertThat(text(".flame-tip")).contains("change +50 points");
    browser.hover(5, 5);
    assertThat(flame.red("acme.Cart.total")).isGreaterThan(30);
    assertThat(flame.red("acme.Prices.load")).isLessThan(-30);
    keep("profiles-compared");
    browser.preferDark(true);
    keep("profiles-compared-dark");
    browser.preferDark(false);
    browser.press("t");
    browser.await("document.querySelectorAll('.flame-rows tbody tr').length === 7");
    assertThat(text(".flame-rows tbody tr"))
        .isEqualTo("acme.Prices.load Source.java 10 % 60 % −50 points 10 % 60 % −50 points");
    keep("profiles-compared-table");
    browser.click("#chip-compare button");
    browser.await(FLAME + ".tree?.totals.length === 1");
  }

  @Test
  void anotherTraceOrTimeCanBeComparedWith() {
    open("profiles?service=shop", 100);
    browser.click("#compare");
    browser.await("document.querySelector('#compare-trace') !== null");
    browser.click("#compare-trace");
    browser.type(ProfileSite.TRACE);
    browser.press("Enter");
    browser.evaluate("document.querySelector('#compare-trace')?.form.requestSubmit()");
    browser.await(FLAME + ".tree?.totals[1]?.[0] === 10");
    browser.click("#compare");
    browser.click("#compare-before");
    browser.await(FLAME + ".tree?.totals[1]?.[0] === 0");
    assertThat(text("#chip-compare")).contains(" to ");
  }

  @Test
  void hostileNamesAreText() throws IOException {
    open("profiles?service=" + "%3Cb%3Ehostile%3C%2Fb%3E", 5);
    flame.hover(0.5, 1);
    assertThat(text(".flame-tip")).startsWith(ProfileSite.SCRIPT);
    flame.hover(0.5, 2);
    assertThat(text(".flame-tip")).startsWith("\\u{202e}dlrow");
    flame.hover(0.5, 3);
    assertThat(text(".flame-tip")).startsWith("xxxxxxxxxx").contains("…");
    flame.click(0.5, 3);
    assertThat(text(".flame-path")).startsWith("all › " + ProfileSite.SCRIPT);
    keep("profiles-hostile");
    browser.press("t");
    browser.await("document.querySelectorAll('.flame-rows tbody tr').length === 3");
    assertThat(browser.evaluate("document.querySelector('.flame-rows b, .flame-rows script')"))
        .isEqualTo("null");
    keep("profiles-hostile-table");
  }

  @Test
  void aTelephoneShowsTheSame() throws IOException {
    open("profiles?service=shop&compare=service%3Dorders", 100);
    browser.resize(360, 740);
    browser.await("innerWidth === 360");
    browser.await(CANVAS + ".clientWidth < 360");
    keep("profiles-telephone");
    browser.press("t");
    browser.await("document.querySelectorAll('.flame-rows tbody tr').length === 7");
    keep("profiles-telephone-table");
  }

  @Test
  void inAPanelItIsCompactAndLeadsToTheView() throws IOException {
    open("profiles?service=shop", 100);
    browser.evaluate(
        """
        (main => {
          const flame = document.createElement("sennit-flame");
          flame.compact = true;
          flame.query = {type: "cpu", trace: "%s", span: "%s"};
          main.replaceChildren(flame);
        })(document.getElementById("main"))\
        """
            .formatted(ProfileSite.TRACE, ProfileSite.SPAN));
    awaitTotal(10);
    browser.await(CANVAS + ".clientHeight === " + 4 * FlameCanvas.ROW);
    keep("flame-compact");
    browser.click("sennit-flame a");
    browser.await(
        "location.search === '?type=cpu&trace=%s&span=%s'"
            .formatted(ProfileSite.TRACE, ProfileSite.SPAN));
  }

  @Test
  void theExportedPageShowsTheFrames() throws Exception {
    open("profiles?service=shop", 100);
    browser.click(".profiles-menu summary");
    keep("profiles-export");
    String link =
        browser.evaluate("document.querySelector('[data-format=html]').getAttribute('href')");
    Path file = folder.resolve("exported.html");
    Files.write(file, site.get(link.substring("/api/".length())).body());
    browser.open(file);
    assertThat(browser.text("summary")).startsWith("cpu · 100 cpu");
    browser.press("/");
    browser.type("Cart");
    assertThat(browser.text("matched")).isEqualTo("Matched: 70.00% in 1 place");
    browser.open(site.link("profiles"));
  }

  private static void open(String path, long total) {
    browser.open(site.link(path));
    awaitTotal(total);
  }

  private static void awaitTotal(long total) {
    browser.await(FLAME + "?.tree?.totals[0][0] === " + total + " && !" + FLAME + ".slow");
    browser.await(FLAME + ".form === 'table' || " + FLAME + ".times.draw.length > 0");
  }

  private static void choose(String id, String value) {
    browser.await(
        "[...document.getElementById('%s').options].some(each => each.value === '%s')"
            .formatted(id, value));
    browser.evaluate(
        """
        (select => {
          select.value = "%s";
          select.dispatchEvent(new Event("change", {bubbles: true}));
        })(document.getElementById("%s"))\
        """
            .formatted(value, id));
  }

  private static String text(String selector) {
    return browser.evaluate(
        "document.querySelector('" + selector + "').textContent.replace(/\\s+/g, ' ').trim()");
  }

  private static double number(String expression) {
    return Double.parseDouble(browser.evaluate(expression));
  }

  private static void keep(String name) throws IOException {
    Path pictures = Files.createDirectories(Path.of("target", "pictures"));
    browser.screenshot(pictures.resolve(name + ".png"));
  }
}
