/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import static dev.sennit.viewer.view.FlameCanvas.FLAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sennit.testing.Browser;
import dev.sennit.testing.Requires;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Large flame graphs in a real browser, and what they tell against what was sent. */
@Requires(commands = "chromium")
final class FlameBrowserTest {
  private static final int STACKS = 5000;
  private static final int DEPTH = 21;
  private static final int FRAMES = 2 + STACKS * (DEPTH - 1);
  private static final int LONGEST_STEP = 2048;

  @TempDir static Path folder;
  private static final List<BigStack> BIG = new ArrayList<>();
  private static ProfileSite site;
  private static Browser browser;

  private record BigStack(List<String> frames, long value) {
    boolean has(Predicate<String> name) {
      return frames.stream().anyMatch(name);
    }
  }

  @BeforeAll
  static void start() throws Exception {
    site = new ProfileSite();
    Random random = new Random(42);
    ProfileRequest request = new ProfileRequest("big", "wall", "nanoseconds");
    for (int i = 0; i < STACKS; i++) {
      List<String> frames = new ArrayList<>(List.of("big.Main.main"));
      for (int depth = 1; depth < DEPTH; depth++) {
        frames.add(
            depth == 1
                ? "big.Stage" + i + ".start"
                : "big.pack%d.Type%d.step".formatted(depth, random.nextInt(2000)));
      }
      BigStack stack = new BigStack(frames, 1_000_000L * (1 + random.nextInt(50)));
      BIG.add(stack);
      request.add(site.begin + i, stack.value, "", frames);
    }
    site.send(request.build());
    browser = Browser.start(folder.resolve("browser"));
    browser.open(site.link("profiles?service=big"));
    browser.await(FLAME + "?.tree?.parent.length === " + FRAMES);
    Path pictures = Files.createDirectories(Path.of("target", "pictures"));
    browser.await(FLAME + ".times.draw.length > 0");
    browser.screenshot(pictures.resolve("flame-large.png"));
  }

  @AfterAll
  static void stop() {
    browser.close();
    site.close();
  }

  @AfterEach
  void showAllAgain() {
    assertThat(browser.complaints()).isEmpty();
    browser.evaluate(FLAME + ".tell({text: '', reverse: false, form: 'graph'})");
    browser.await(FLAME + ".search === undefined && " + FLAME + ".tree === " + FLAME + ".forward");
    browser.press("Escape");
  }

  /** By a clock that is 4 ms later whenever somebody looks at it, as on a slow machine. */
  @Test
  void aHundredThousandFramesKeepThePageAwake() {
    browser.evaluate("(performance.now = () => 4 * window.looks++, 0)");
    try {
      assertStops("build", () -> browser.press("r"), FLAME + ".tree === " + FLAME + ".backward");
      assertStops(
          "search",
          () -> browser.evaluate(FLAME + ".tell({text: 'Type'})"),
          FLAME + ".search?.text === 'Type'");
      assertStops("search", () -> browser.press("t"), FLAME + ".rows?.length > 0");
    } finally {
      browser.evaluate("delete performance.now");
    }
  }

  /** Work that takes a look at the clock after a step, and stops when its time is over. */
  private static void assertStops(String kind, Runnable work, String done) {
    browser.evaluate("(window.looks = 0, " + FLAME + ".times." + kind + ".length = 0)");
    work.run();
    browser.await(done);
    assertThat(Integer.parseInt(browser.evaluate("window.looks")))
        .as("looks at the clock to %s", kind)
        .isGreaterThan(FRAMES / LONGEST_STEP);
    assertThat(
            Double.parseDouble(browser.evaluate("Math.max(..." + FLAME + ".times." + kind + ")")))
        .as("milliseconds without a pause to %s", kind)
        .isBetween(1.0, 20.0);
  }

  @Test
  void whatIsTooNarrowToSeeIsNotDrawnOneByOne() {
    browser.evaluate(
        """
        (pen => {
          const fill = pen.fillRect;
          window.filled = 0;
          pen.fillRect = function (...place) { window.filled++; fill.apply(this, place); };
        })(CanvasRenderingContext2D.prototype)\
        """);
    browser.evaluate(FLAME + ".times.draw.length = 0, " + FLAME + ".redraw()");
    browser.await(FLAME + ".times.draw.length > 0");
    int filled = Integer.parseInt(browser.evaluate("window.filled"));
    int width = Integer.parseInt(browser.evaluate(FlameCanvas.CANVAS + ".clientWidth"));
    assertThat(filled).isBetween(DEPTH, DEPTH * (width + 1) + 1);
    assertThat(filled).isLessThan(FRAMES);
  }

  @Test
  void theShareOfASearchIsThatOfTheStacksWithTheFrame() {
    search("Type7");
    assertThat(shareFound()).isCloseTo(share(name -> name.contains("Type7")), within(1e-9));
    search("tYPE12.");
    assertThat(shareFound()).isCloseTo(share(name -> name.contains("Type12.")), within(1e-9));
    search("/^big\\\\.pack3\\\\.Type1\\\\d\\\\./");
    Pattern pattern = Pattern.compile("^big\\.pack3\\.Type1\\d\\.");
    double expected = share(name -> pattern.matcher(name).find());
    assertThat(expected).isPositive();
    assertThat(shareFound()).isCloseTo(expected, within(1e-9));
    search("nothing has this name");
    assertThat(shareFound()).isZero();
  }

  @Test
  void reversedTheInnermostFramesHaveWhatEndedInThem() {
    browser.evaluate(FLAME + ".tell({reverse: true})");
    browser.await(FLAME + ".tree === " + FLAME + ".backward");
    Map<String, Long> expected = new TreeMap<>();
    BIG.forEach(stack -> expected.merge(stack.frames.getLast(), stack.value, Long::sum));
    assertThat(
            browser
                .evaluate(
                    """
                    (tree => [...tree.parent.keys()]
                      .filter(node => tree.parent[node] === 0)
                      .map(node => tree.frames[tree.frame[node]][0] + "=" + tree.totals[0][node])
                      .join("\\n"))(document.querySelector("sennit-flame").tree)\
                    """)
                .lines())
        .containsExactlyElementsOf(
            expected.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList());
  }

  @Test
  void reversedAllStacksAreTheSameTheOtherWayRound() {
    List<String> expected = new ArrayList<>();
    for (String line : ProfileSite.SHOP) {
      int space = line.lastIndexOf(' ');
      List<String> frames = List.of(line.substring(0, space).split(";"));
      expected.add(String.join(";", frames.reversed()) + line.substring(space));
    }
    String stacks =
        browser.evaluate(
            """
            Promise.all([import("/flame-model.js"), fetch("/api/flame?type=cpu&service=shop")
                .then(answer => answer.json())])
              .then(async ([{run, treeOf, reversed}, answer]) => {
                const tree = await run(reversed(await run(treeOf(answer))));
                const path = node => (node === 0 ? [] : [...path(tree.parent[node]), tree.frames[tree.frame[node]][0]]);
                return [...tree.parent.keys()]
                  .filter(node => tree.selves[0][node] > 0)
                  .map(node => path(node).join(";") + " " + tree.selves[0][node])
                  .join("\\n");
              })\
            """);
    assertThat(stacks.lines()).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void theTableHasTheLargestAndSaysThatThereAreMore() {
    browser.press("t");
    browser.await("document.querySelectorAll('.flame-rows tbody tr').length === 200");
    Map<String, Long> selves = new TreeMap<>();
    BIG.forEach(stack -> selves.merge(stack.frames.getLast(), stack.value, Long::sum));
    long largest = selves.values().stream().mapToLong(value -> value).max().orElseThrow();
    assertThat(browser.evaluate("(flame => flame.sums.selves[0][flame.rows[0]])(" + FLAME + ")"))
        .isEqualTo(Long.toString(largest));
    assertThat(browser.evaluate(FLAME + ".textContent")).contains("The first 200 of ");
  }

  private static void search(String text) {
    browser.evaluate(FLAME + ".tell({text: '" + text + "'})");
    browser.await(FLAME + ".search?.text === '" + text + "'");
  }

  private static double shareFound() {
    return Double.parseDouble(browser.evaluate(FLAME + ".search.shares[0]"));
  }

  private static double share(Predicate<String> name) {
    double all = BIG.stream().mapToLong(BigStack::value).sum();
    return BIG.stream().filter(stack -> stack.has(name)).mapToLong(BigStack::value).sum() / all;
  }
}
