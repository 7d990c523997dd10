/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.profiles.JfrToOtlpConverter;
import dev.sennit.profiles.ProfileExport;
import dev.sennit.profiles.jfr.Recordings;
import dev.sennit.testing.Browser;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser, used as people use it. */
@Requires(commands = "chromium")
class FlamegraphBrowserTest {
  private static final String SHORT_HOSTILE = "a</script><script>alert(1)//\"'&\\;\\u000a\\u202eb";
  private static final int ROW = 18;
  private static final String CANVAS = "document.getElementById('canvas').getBoundingClientRect()";

  @TempDir static Path folder;
  private static Browser browser;
  private Path page = Path.of("");

  @BeforeAll
  static void start() throws Exception {
    browser = Browser.start(folder.resolve("browser"));
  }

  @AfterAll
  static void stop() {
    browser.close();
  }

  /** Whatever a test did: a page that needs nothing asks for nothing, and has nothing to say. */
  @AfterEach
  void thePageStaysByItself() {
    assertThat(browser.requests()).containsOnly(page.toUri().toString());
    assertThat(browser.complaints()).isEmpty();
    assertThat(browser.evaluate("document.documentElement.scrollWidth"))
        .as("no scrolling to the side")
        .isEqualTo("" + Browser.WIDTH);
  }

  @Test
  void aRecordingIsDrawnWithItsTotalsAndTheTypesOfItsFrames() throws IOException {
    open(new JfrToOtlpConverter().addFile(Recordings.hotSpot(folder)).read());
    assertThat(browser.text("summary"))
        .matches(
            "cpu · \\d+ samples ≈ .* m?s · \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC for .*"
                + " m?s");
    assertThat(browser.evaluate("document.title")).contains("cpu · ");
    assertThat(browser.text("legend")).containsPattern("jvm \\d+\\.\\d\\d%");
    assertThat(browser.evaluate("document.getElementById('tree').options.length > 3"))
        .isEqualTo("true");
    assertThat(distinctColours()).isGreaterThan(5);
    browser.screenshot(Path.of("target", "flamegraph-light.png"));
    String light = colourAt(5, 0);
    browser.preferDark(true);
    assertThat(colourAt(5, 0)).as("the root in the dark").isNotEqualTo(light);
    browser.screenshot(Path.of("target", "flamegraph-dark.png"));
    browser.preferDark(false);
    assertThat(colourAt(5, 0)).isEqualTo(light);
  }

  @Test
  void aClickZoomsInAndThePathLeadsBack() throws IOException {
    open(HandMade.spans());
    assertThat(browser.text("path")).isEqualTo("all");
    clickFrame(0.9, 2);
    assertThat(browser.text("path")).isEqualTo("all›main›run");
    assertThat(browser.text("detail"))
        .startsWith("run [jvm] — 9 samples")
        .contains("90.00% of all");
    hoverFrame(0.1, 3);
    assertThat(browser.text("tip")).contains("40.00% of all, 44.44% of run");
    browser.click("#path button");
    assertThat(browser.text("path")).isEqualTo("all");
    clickFrame(0.9, 2);
    browser.press("Escape");
    assertThat(browser.text("path")).isEqualTo("all");
  }

  @Test
  void thePointerTellsWhatAFrameTookAndWhatItTookItself() throws IOException {
    open(HandMade.spans());
    hoverFrame(0.9, 2);
    assertThat(browser.text("tip"))
        .isEqualTo(
            "run [jvm]\n9 samples ≈ 90 ns, 90.00% of all\nitself 5 samples ≈ 50 ns, 50.00% of all");
    hoverFrame(0.9, 1);
    assertThat(browser.text("tip")).endsWith("100.00% of all\nitself nothing");
    hoverFrame(0.05, 2);
    assertThat(browser.text("tip")).startsWith(SHORT_HOSTILE + " [jvm]\n1 sample ≈ 10 ns, 10.00%");
    browser.hover(5, 5);
    assertThat(browser.evaluate("document.getElementById('tip').hidden")).isEqualTo("true");
  }

  @Test
  void aSearchMarksWhatItFindsAndGoesFromMatchToMatch() throws IOException {
    open(HandMade.spans());
    String before = colourAt(0.95, 2);
    browser.press("/");
    browser.type("RUN");
    assertThat(browser.text("matched")).isEqualTo("Matched: 90.00% in 1 place");
    assertThat(colourAt(0.95, 2)).isNotEqualTo(before);
    browser.press("Enter");
    assertThat(browser.text("matched")).isEqualTo("Matched: 90.00% in 1 of 1 place");
    assertThat(browser.text("path")).isEqualTo("all›main›run");
    browser.press("Escape");
    assertThat(browser.text("matched")).isEmpty();
    browser.press("Escape");
    assertThat(browser.text("path")).isEqualTo("all");
    assertThat(colourAt(0.95, 2)).isEqualTo(before);
    browser.press("/");
    browser.type("^(wri|mai)");
    assertThat(browser.text("matched")).isEqualTo("Matched: 100.00% in 1 place");
    browser.press("Escape");
    browser.press("/");
    browser.type("(");
    assertThat(browser.text("matched")).as("no regular expression").startsWith("Matched: 50.00%");
    browser.press("Escape");
  }

  @Test
  void reversedTheInnermostFramesComeFirst() throws IOException {
    open(HandMade.spans());
    browser.click("#reverse");
    assertThat(browser.evaluate("document.getElementById('reverse').getAttribute('aria-pressed')"))
        .isEqualTo("true");
    hoverFrame(0.3, 1);
    assertThat(browser.text("tip")).startsWith("run [jvm]\n5 samples");
    hoverFrame(0.9, 1);
    assertThat(browser.text("tip")).startsWith("write() [native]\n4 samples");
    hoverFrame(0.9, 2);
    assertThat(browser.text("tip")).startsWith("run [jvm]\n4 samples");
    hoverFrame(0.9, 3);
    assertThat(browser.text("tip")).startsWith("main [jvm]\n4 samples");
  }

  @Test
  void anIcicleHasItsRootOnTop() throws IOException {
    open(HandMade.spans());
    browser.click("#flip");
    double top = Double.parseDouble(browser.evaluate(CANVAS + ".top"));
    browser.hover(600, top + ROW / 2.0);
    assertThat(browser.text("tip")).startsWith("all\n10 samples");
    browser.hover(600, top + ROW * 1.5);
    assertThat(browser.text("tip")).startsWith("main [jvm]");
  }

  @Test
  void aTraceOrSpanIdFilters() throws IOException {
    open(HandMade.spans());
    assertThat(browser.text("summary")).startsWith("cpu · 10 samples ≈ 100 ns");
    browser.click("#link");
    browser.type("00000000000000cd");
    assertThat(browser.text("summary")).startsWith("cpu · 3 samples ≈ 30 ns, 30.00% of all");
    browser.press("Escape");
    assertThat(browser.text("summary")).startsWith("cpu · 10 samples ≈ 100 ns");
    assertThat(browser.evaluate("document.getElementById('link').value")).isEmpty();
    browser.click("#link");
    browser.type("dead");
    assertThat(browser.text("detail")).isEqualTo("Nothing was measured here.");
    browser.click("#reset");
    assertThat(browser.text("summary")).startsWith("cpu · 10 samples");
  }

  @Test
  void theKeyboardGoesWhereThePointerGoes() throws IOException {
    open(HandMade.spans());
    browser.evaluate("document.getElementById('canvas').focus()");
    browser.press("ArrowUp");
    browser.press("ArrowUp");
    browser.press("ArrowUp");
    assertThat(browser.text("detail")).startsWith("run [jvm]");
    browser.press("ArrowLeft");
    assertThat(browser.text("detail")).startsWith("a</script>");
    browser.press("ArrowRight");
    browser.press("Enter");
    assertThat(browser.text("path")).isEqualTo("all›main›run");
    browser.press("ArrowDown");
    assertThat(browser.text("detail")).startsWith("main [jvm]");
  }

  @Test
  void aHostileNameIsShownAndNotRun() throws IOException {
    open(HandMade.spans());
    assertThat(browser.text("title")).isEqualTo("shop " + SHORT_HOSTILE);
    clickFrame(0.05, 2);
    assertThat(browser.text("path")).isEqualTo("all›main›" + SHORT_HOSTILE);
    assertThat(browser.evaluate("document.scripts.length")).isEqualTo("2");
  }

  @Test
  void valuesAreWrittenForPeople() throws IOException {
    open(HandMade.spans());
    assertThat(
            browser.evaluate(
                """
                [format(1536, "bytes"), format(2500000, "nanoseconds"), format(12345, "count"),
                  describeValue(1, {unit: "count", what: "samples", period: 0})].join("; ")\
                """))
        .isEqualTo("1.50 KiB; 2.50 ms; 12,345; 1 sample");
    assertThat(browser.evaluate("labels('com.acme.Cart$Item.add').join('; ')"))
        .isEqualTo("com.acme.Cart$Item.add; Cart$Item.add; add");
    assertThat(browser.evaluate("labels('libc.so.6.write').join('; ')"))
        .isEqualTo("libc.so.6.write; libc.so.6.write; libc.so.6.write");
  }

  @Test
  void manyFramesAreDrawnZoomedAndReversed() throws IOException {
    HandMade model = new HandMade();
    for (int i = 0; i < 10_000; i++) {
      String[] frames = new String[12];
      for (int k = 0; k < frames.length; k++) {
        frames[k] = "frame" + (k < 2 ? k : i + k);
      }
      model.sample(1, frames);
    }
    open(model.profile("cpu", "samples", "count").export());
    assertThat(colourAt(0.5, 12)).as("the small ones leave no holes").isNotEqualTo("0,0,0,0");
    clickFrame(0.5, 3);
    assertThat(browser.text("path")).startsWith("all›frame0›frame1›frame");
    browser.click("#reverse");
    assertThat(browser.text("summary")).startsWith("cpu · 10,000 samples");
    assertThat(colourAt(0.5, 12)).isNotEqualTo("0,0,0,0");
  }

  private void open(ProfileExport export) throws IOException {
    page = folder.resolve("page.html");
    try (OutputStream out = Files.newOutputStream(page)) {
      FlamegraphWriter.write(export, out);
    }
    browser.open(page);
  }

  private static void clickFrame(double share, int depth) {
    browser.click(share * Browser.WIDTH, y(depth));
  }

  private static void hoverFrame(double share, int depth) {
    browser.hover(share * Browser.WIDTH, y(depth));
  }

  /** The middle of a row; the root stands at the bottom. */
  private static double y(int depth) {
    return Double.parseDouble(browser.evaluate(CANVAS + ".bottom")) - (depth + 0.5) * ROW;
  }

  /** Near the upper edge of a row, where no letter is. */
  private static String colourAt(double share, int depth) {
    return pixels(
        "[...bytes.subarray(at, at + 4)]",
        (int) (share * Browser.WIDTH) % Browser.WIDTH,
        (depth + 1) * ROW - 2);
  }

  private static int distinctColours() {
    return Integer.parseInt(pixels("new Set(new Uint32Array(bytes.buffer)).size", 0, 0));
  }

  /** What a function makes of a copy of the picture, and of a place so far above its bottom. */
  private static String pixels(String function, int x, int up) {
    return browser.evaluate(
        """
        (canvas => {
          const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
          copy.drawImage(canvas, 0, 0);
          const bytes = copy.getImageData(0, 0, canvas.width, canvas.height).data;
          const at = 4 * ((canvas.height - %d) * canvas.width + %d);
          return %s;
        })(document.getElementById("canvas"))\
        """
            .formatted(up, x, function));
  }
}
