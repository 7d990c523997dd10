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
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The view of processes in a real browser, over processes that the test makes up. */
@Requires(commands = "chromium")
final class ProcessesBrowserTest {
  private static final String HOSTILE = "<script>window.broken = true</script>";
  private static final String MIRRORED = "live\u202etxt.exe";
  private static final String LONG = "long".repeat(2_500);

  @TempDir static Path folder;
  private static final SampleProcesses processes = new SampleProcesses();
  private static TelemetryStore store;
  private static WebServer server;
  private static Browser browser;

  @BeforeAll
  static void start() throws Exception {
    store = TelemetryStore.temporary(StoreSettings.TEMPORARY);
    SampleServices services = new SampleServices(store);
    services.request("only-told", "GET /", System.currentTimeMillis() * 1_000_000, 5);
    services.request(HOSTILE, "GET /", System.currentTimeMillis() * 1_000_000, 5);
    services.request(LONG, "GET /", System.currentTimeMillis() * 1_000_000, 5);
    services.send();
    server =
        WebServer.start(
            WebSettings.onLoopback(0),
            ProcessViews.addTo(Site.EMPTY, store.queries(), processes, Clock.systemUTC()));
    browser = Browser.start(folder.resolve("browser"));
  }

  @AfterAll
  static void stop() {
    browser.close();
    server.close();
    store.close();
  }

  @BeforeEach
  void fill() {
    for (long pid = 1; pid < 10; pid++) {
      processes.remove(pid);
    }
    processes.put(SampleProcesses.process(1, "gateway", null, SampleProcesses.threads(6, 1)));
    processes.put(SampleProcesses.process(2, "orders", null, SampleProcesses.threads(2, 1)));
    processes.put(
        SampleProcesses.process(3, "closed", "the threads are for readers inside", List.of()));
  }

  @AfterEach
  void nothingCameFromElsewhereAndNothingWasComplainedOf() {
    assertThat(browser.requests()).allMatch(url -> url.startsWith(server.link().toString()));
    assertThat(browser.complaints()).isEmpty();
    assertThat(browser.evaluate("document.documentElement.scrollWidth <= innerWidth"))
        .as("no scrolling to the side")
        .isEqualTo("true");
  }

  private static void open(String parameters) {
    browser.open(URI.create(server.link() + "processes" + parameters));
    browser.await("document.querySelector('.known, .thread.row, .none') !== null");
  }

  @Test
  void threadsAreShownInTheirSpans() throws Exception {
    open("");
    browser.await("document.querySelectorAll('.thread.row').length === 8");

    assertThat(text("sennit-process"))
        .contains("gateway", "pid 1", "instance-of-1", "6 threads in spans, 40 in none", "otel");
    assertThat(text("sennit-process .thread.row"))
        .matches("(?s)5000\\s+worker-0\\s+\\d+\\.\\d s\\s+0{26}abcdef\\s+0{13}3e8.*http.route=.*");
    assertThat(browser.evaluate("document.querySelector('.thread.row a').getAttribute('href')"))
        .isEqualTo("/traces/00000000000000000000000000abcdef");
    assertThat(text("sennit-processes")).contains("the threads are for readers inside");
    assertThat(text("sennit-processes")).contains("3 processes could not be looked into");
    assertThat(text(".known")).contains("only-told", HOSTILE);
    browser.await("parseFloat(document.querySelector('.thread.row .time').textContent) >= 0.5");
    keep("processes-light");
    browser.preferDark(true);
    keep("processes-dark");
    browser.preferDark(false);
  }

  @Test
  void whatChangesIsSeenAtOnce() {
    open("");
    browser.await("document.querySelectorAll('.thread.row').length === 8");

    processes.put(SampleProcesses.process(2, "orders", null, SampleProcesses.threads(2, 77)));
    browser.await(
        "document.querySelector('sennit-processes').textContent.includes('%016x')"
            .formatted(77_000));
    processes.put(SampleProcesses.process(4, "newcomer", null, SampleProcesses.threads(1, 4)));
    browser.await("document.querySelectorAll('.thread.row').length === 9");
    processes.remove(4);
    browser.await("document.querySelectorAll('.thread.row').length === 8");
  }

  @Test
  void whoPausesIsNotDisturbedAndCostsNothing() throws Exception {
    open("");
    browser.await("document.querySelectorAll('.thread.row').length === 8");
    int rests = processes.rests.get();
    browser.press("p");
    assertThat(text("[role=status]")).isEqualTo("paused");
    // The server notices that nobody listens with the next that it would tell.
    for (int span = 100; processes.rests.get() == rests; span++) {
      processes.put(SampleProcesses.process(2, "orders", null, SampleProcesses.threads(2, span)));
      Thread.sleep(Duration.ofMillis(20));
    }
    int looks = processes.looks.get();
    processes.remove(2);
    assertThat(browser.evaluate("document.querySelectorAll('.thread.row').length")).isEqualTo("8");
    assertThat(processes.looks).hasValue(looks);

    browser.click("#pause");
    browser.await("document.querySelectorAll('.thread.row').length === 6");
    assertThat(processes.looks.get()).isGreaterThan(looks);
  }

  @Test
  void aFilterIsForProcessesAndThreads() {
    open("");
    browser.await("document.querySelectorAll('.thread.row').length === 8");
    browser.press("/");
    browser.type("worker-5");
    browser.await("document.querySelectorAll('.thread.row').length === 1");
    assertThat(browser.evaluate("location.search")).isEqualTo("?q=worker-5");
    assertThat(browser.evaluate("document.querySelectorAll('sennit-process').length"))
        .isEqualTo("1");

    open("?q=INSTANCE-OF-2");
    browser.await("document.querySelectorAll('.thread.row').length === 2");
    open("?q=nothing+has+this");
    browser.await("document.querySelector('.none') !== null");
  }

  @Test
  void aLinkOpensOneProcess() throws Exception {
    open("?pid=1");
    browser.await("document.querySelectorAll('.thread.row').length === 6");

    assertThat(browser.evaluate("document.querySelectorAll('sennit-process').length"))
        .isEqualTo("1");
    assertThat(browser.evaluate("document.querySelector('details').open")).isEqualTo("true");
    assertThat(text("details")).contains("host.name", "here", "sennit.thread_storage");
    keep("processes-one");
    browser.click("main p a");
    browser.await("document.querySelectorAll('sennit-process').length === 3");
    open("?pid=99");
    browser.await("document.querySelector('.none')?.textContent.includes('Process 99')");
  }

  @Test
  void ofManyThreadsThoseInSightAreDrawn() throws Exception {
    processes.put(SampleProcesses.process(5, "crowd", null, SampleProcesses.threads(2000, 5)));
    open("?pid=5");
    browser.await("document.querySelectorAll('.thread.row').length > 20");

    assertThat(
            Integer.parseInt(browser.evaluate("document.querySelectorAll('.thread.row').length")))
        .isLessThan(40);
    browser.evaluate("document.querySelector('.threads').scrollTop = 1e6");
    browser.await("document.querySelector('.threads').textContent.includes('worker-1999')");
    keep("processes-crowd");
  }

  @Test
  void namesOfStrangersAreText() throws Exception {
    LiveThread thread =
        new LiveThread(1, HOSTILE, "%032x".formatted(1), "%016x".formatted(1), Map.of(LONG, LONG));
    LiveThread other =
        new LiveThread(2, MIRRORED, "%032x".formatted(1), "%016x".formatted(1), Map.of());
    processes.put(SampleProcesses.process(6, HOSTILE, null, List.of(thread, other)));
    processes.put(SampleProcesses.process(7, MIRRORED, null, List.of()));
    processes.put(SampleProcesses.process(8, LONG, HOSTILE, List.of()));
    open("");
    browser.await("document.querySelectorAll('sennit-process').length === 6");
    browser.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)");

    assertThat(text("sennit-processes")).contains(HOSTILE, MIRRORED, LONG);
    assertThat(browser.evaluate("window.broken")).isEqualTo("undefined");
    browser.resize(1280, 2000);
    keep("processes-hostile");
  }

  @Test
  void aTelephoneShowsTheSame() throws Exception {
    open("");
    browser.resize(360, 1100);
    browser.await("innerWidth === 360");
    browser.await("document.querySelectorAll('.thread.row').length === 8");
    keep("processes-telephone");
  }

  private static String text(String selector) {
    return browser.evaluate("document.querySelector('" + selector + "').textContent").strip();
  }

  private static void keep(String name) throws IOException {
    Path pictures = Files.createDirectories(Path.of("target", "pictures"));
    browser.screenshot(pictures.resolve(name + ".png"));
  }
}
