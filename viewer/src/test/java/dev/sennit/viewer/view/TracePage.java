/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.store.StoreSettings;
import dev.sennit.store.TelemetryStore;
import dev.sennit.testing.Browser;
import dev.sennit.viewer.web.Site;
import dev.sennit.viewer.web.WebServer;
import dev.sennit.viewer.web.WebSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;

/** The views of traces in a real browser, over a store with traces. */
final class TracePage implements AutoCloseable {
  final Browser browser;
  private final TelemetryStore store;
  private final WebServer server;

  private TracePage(Browser browser, TelemetryStore store, WebServer server) {
    this.browser = browser;
    this.store = store;
    this.server = server;
  }

  static TracePage start(Path folder, SampleTraces traces)
      throws IOException, InterruptedException {
    TelemetryStore store = TelemetryStore.temporary(StoreSettings.TEMPORARY);
    traces.sendTo(store);
    WebServer server =
        WebServer.start(
            WebSettings.onLoopback(0),
            TraceViews.addTo(Site.EMPTY, store.queries(), Clock.systemUTC()));
    return new TracePage(Browser.start(folder.resolve("browser")), store, server);
  }

  static long now() {
    return System.currentTimeMillis() * 1_000_000;
  }

  /** Opens an address, and waits until a selector finds something. */
  void open(String address, String selector) {
    browser.open(URI.create(server.link() + address));
    browser.await("document.querySelector('" + selector + "') !== null");
  }

  void awaitText(String selector, String text) {
    browser.await(
        "document.querySelector('%s')?.textContent.includes('%s') ?? false"
            .formatted(selector, text));
  }

  String text(String selector) {
    return browser.evaluate(
        "document.querySelector('%s').textContent.trim().replace(/\\s+/g, ' ')"
            .formatted(selector));
  }

  String search() {
    return browser.evaluate("location.search");
  }

  /** Where an element is: left, top, width and height. */
  double[] box(String selector) {
    String[] parts =
        browser
            .evaluate(
                "(b => [b.left, b.top, b.width, b.height].join(' '))"
                    + "(document.querySelector('"
                    + selector
                    + "').getBoundingClientRect())")
            .split(" ");
    double[] box = new double[4];
    for (int i = 0; i < 4; i++) {
      box[i] = Double.parseDouble(parts[i]);
    }
    return box;
  }

  void assertInOrder() {
    assertThat(browser.requests()).allMatch(url -> url.startsWith(server.link().toString()));
    assertThat(browser.complaints()).isEmpty();
    assertThat(browser.evaluate("document.documentElement.scrollWidth <= innerWidth"))
        .as("no scrolling to the side")
        .isEqualTo("true");
    assertThat(browser.evaluate("window.broken")).isEqualTo("undefined");
  }

  /** Pictures are kept with what the build makes. */
  void keep(String name) throws IOException {
    Path pictures = Files.createDirectories(Path.of("target", "pictures"));
    browser.screenshot(pictures.resolve(name + ".png"));
  }

  @Override
  public void close() {
    browser.close();
    server.close();
    store.close();
  }
}
