/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.Browser;
import dev.sennit.testing.Requires;
import dev.sennit.viewer.web.Site;
import dev.sennit.viewer.web.WebServer;
import dev.sennit.viewer.web.WebSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the page computes of a trace's time, on trees made by hand and by chance. */
@Requires(commands = "chromium")
final class TraceTimeBrowserTest {
  @TempDir static Path folder;
  private static Browser browser;
  private static WebServer server;

  @BeforeAll
  static void start() throws Exception {
    server = WebServer.start(WebSettings.onLoopback(0), Site.EMPTY);
    browser = Browser.start(folder.resolve("browser"));
    browser.open(server.link().resolve("/icon.svg"));
  }

  @AfterAll
  static void stop() {
    browser.close();
    server.close();
  }

  /** Spans as "parent start duration", with a kind where it matters. */
  private static String compute(String what, String... spans) {
    List<String> list = new ArrayList<>();
    for (String span : spans) {
      String[] parts = span.split(" ");
      list.add(
          "{parent: %s, start: %s, duration: %s, kind: '%s'}"
              .formatted(parts[0], parts[1], parts[2], parts.length > 3 ? parts[3] : "INTERNAL"));
    }
    return browser.evaluate(
        """
        import('/tracetime.js').then(time => {
          const spans = [%s];
          const children = time.childrenOf(spans);
          return %s;
        })\
        """
            .formatted(String.join(", ", list), what));
  }

  private static String self(String... spans) {
    return compute(
        "spans.map((span, index) => time.selfTime(spans, children, index)).join(' ')", spans);
  }

  private static String path(String... spans) {
    return compute(
        "time.criticalPath(spans, children).map(part => part.join(' ')).join(', ')", spans);
  }

  @Test
  void whatChildrenDidTogetherIsSubtractedOnce() {
    assertThat(self("-1 0 100")).isEqualTo("100");
    assertThat(self("-1 0 100", "0 10 20", "0 50 20")).isEqualTo("60 20 20");
    assertThat(self("-1 0 100", "0 10 40", "0 20 50", "0 30 10")).isEqualTo("40 40 50 10");
    assertThat(self("-1 0 100", "0 10 40", "1 10 40")).isEqualTo("60 0 40");
    assertThat(self("-1 0 100", "0 0 100")).isEqualTo("0 100");
    assertThat(self("-1 0 0", "0 0 10")).isEqualTo("0 10");
  }

  @Test
  void whatChildrenDidOutsideOfTheirParentTakesNothingFromIt() {
    assertThat(self("-1 100 100", "0 50 70", "0 190 500")).isEqualTo("70 70 500");
    assertThat(self("-1 100 100", "0 0 50", "0 300 50")).isEqualTo("100 50 50");
    assertThat(self("-1 100 100", "0 0 400")).isEqualTo("0 400");
  }

  @Test
  void theCriticalPathGoesThroughWhatEndedLast() {
    assertThat(path("-1 0 100")).isEqualTo("0 0 100");
    assertThat(path("-1 0 100", "0 10 30", "0 50 40"))
        .isEqualTo("0 0 10, 1 10 40, 0 40 50, 2 50 90, 0 90 100");
    assertThat(path("-1 0 100", "0 10 30", "0 20 60"))
        .as("of two beside each other, the one that was waited for longer")
        .isEqualTo("0 0 20, 2 20 80, 0 80 100");
    assertThat(path("-1 0 100", "0 10 80", "1 20 30", "1 20 50"))
        .isEqualTo("0 0 10, 1 10 20, 3 20 70, 1 70 90, 0 90 100");
    assertThat(path("-1 0 100", "0 50 0")).isEqualTo("0 0 100");
    assertThat(path()).isEmpty();
  }

  @Test
  void whatOutlivesItsParentWasNotWaitedFor() {
    assertThat(path("-1 0 100", "0 10 30", "0 50 200 CONSUMER"))
        .isEqualTo("0 0 10, 1 10 40, 0 40 100");
    assertThat(path("-1 0 100", "0 20 60", "1 30 500", "1 40 10"))
        .isEqualTo("0 0 20, 1 20 40, 3 40 50, 1 50 80, 0 80 100");
    assertThat(path("-1 0 100", "0 150 10")).isEqualTo("0 0 100");
  }

  @Test
  void theOtherSideOfACallWasWaitedForWhateverItsClockSays() {
    assertThat(path("-1 0 100 CLIENT", "0 50 80 SERVER")).isEqualTo("0 0 50, 1 50 100");
    assertThat(path("-1 50 50 CLIENT", "0 20 60 SERVER", "1 30 10")).isEqualTo("1 50 80, 0 80 100");
    assertThat(path("-1 0 100 CLIENT", "0 50 80 SERVER", "1 60 65"))
        .isEqualTo("0 0 50, 1 50 60, 2 60 100");
  }

  @Test
  void withSeveralRootsThePathIsThatOfTheLongest() {
    assertThat(path("-1 0 10", "-1 5 100", "-1 20 100")).isEqualTo("1 5 105");
  }

  @Test
  void aVeryLongChainIsNoMoreThanALongList() {
    assertThat(
            browser.evaluate(
                """
                import('/tracetime.js').then(time => {
                  const spans = Array.from({length: 20000},
                    (_, i) => ({parent: i - 1, start: i, duration: 40000 - 2 * i, kind: "INTERNAL"}));
                  return time.criticalPath(spans, time.childrenOf(spans)).length;
                })\
                """))
        .isEqualTo("39999");
  }

  @Test
  void whateverTheTreeThePathIsWholeAndSelfTimeIsWhatCountingGives() {
    assertThat(
            browser.evaluate(
                """
                import('/tracetime.js').then(time => {
                  let state = 7;
                  const random = most => (state = (state * 48271) % 2147483647) % most;
                  const kinds = ["INTERNAL", "CLIENT", "SERVER"];
                  for (let round = 0; round < 500; round++) {
                    const spans = Array.from({length: 1 + random(12)}, (_, i) => ({
                      parent: random(6) === 0 ? -1 : i - 1 - random(Math.max(1, i)),
                      start: random(40), duration: random(40), kind: kinds[random(3)],
                    })).map(span => ({...span, parent: Math.max(-1, span.parent)}));
                    const children = time.childrenOf(spans);
                    const path = time.criticalPath(spans, children);
                    const roots = spans.filter(span => span.parent < 0);
                    const longest = roots.reduce((a, b) => (b.duration > a.duration ? b : a));
                    let at = longest.start;
                    for (const [, from, to] of path) {
                      if (from !== at || to <= from) return "gap " + JSON.stringify({spans, path});
                      at = to;
                    }
                    if (at !== longest.start + longest.duration) {
                      return "end " + JSON.stringify({spans, path});
                    }
                    for (let i = 0; i < spans.length; i++) {
                      let counted = 0;
                      for (let t = spans[i].start; t < spans[i].start + spans[i].duration; t++) {
                        counted += children[i].some(c =>
                          spans[c].start <= t && t < spans[c].start + spans[c].duration) ? 0 : 1;
                      }
                      if (counted !== time.selfTime(spans, children, i)) {
                        return "self " + i + " " + JSON.stringify(spans);
                      }
                    }
                  }
                  return "fine";
                })\
                """))
        .isEqualTo("fine");
  }
}
