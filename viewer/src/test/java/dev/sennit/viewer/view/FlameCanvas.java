/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import dev.sennit.testing.Browser;
import java.util.Arrays;

/**
 * The flame graph of the page in a browser, as the eye and the pointer find it: places are shares
 * of its width and rows from above.
 */
record FlameCanvas(Browser browser) {
  static final int ROW = 18;
  static final String FLAME = "document.querySelector('sennit-flame')";
  static final String CANVAS = "document.querySelector('sennit-flame canvas')";
  private static final String TREE = FLAME + ".tree";

  double x(double share) {
    return number(
        CANVAS + ".getBoundingClientRect().left + " + share + " * " + CANVAS + ".clientWidth");
  }

  double y(int row) {
    return number(CANVAS + ".getBoundingClientRect().top") + (row + 0.5) * ROW;
  }

  void hover(double share, int row) {
    browser.hover(x(share), y(row));
  }

  void click(double share, int row) {
    browser.click(x(share), y(row));
  }

  void hoverNode(String name) {
    hover(middleOf(name), rowOf(name));
  }

  /** What the first node of a name has, of each selection. */
  String total(String name) {
    return browser.evaluate(TREE + ".totals.map(each => each[" + node(name) + "]).join()");
  }

  /** How much more red than blue a node is. */
  int red(String name) {
    int[] channels = channels(colourAt(middleOf(name), rowOf(name)));
    return channels[0] - channels[2];
  }

  String colourAt(double share, int row) {
    return browser.evaluate(at(share, row));
  }

  /** As an expression, the colour near the upper edge of a row, where no letter is. */
  String at(double share, int row) {
    return """
    (canvas => {
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
      copy.drawImage(canvas, 0, 0);
      return [...copy.getImageData(Math.floor(%s * canvas.width), %d, 1, 1).data.subarray(0, 3)].join();
    })(document.querySelector("sennit-flame canvas"))\
    """
        .formatted(share, row * ROW + 1);
  }

  /** How far a place is from a token's colour; frames of one kind have shades of one colour. */
  int distance(double share, int row, String token) {
    int[] one = channels(colourAt(share, row));
    int[] other = channels(colour(token));
    int sum = 0;
    for (int i = 0; i < 3; i++) {
      sum += Math.abs(one[i] - other[i]);
    }
    return sum;
  }

  /** The value of a token as its channels. */
  String colour(String token) {
    return browser.evaluate(
        """
        (probe => {
          probe.style.color = "var(%s)";
          const colour = getComputedStyle(probe).color.match(/[0-9]+/g).join();
          probe.remove();
          return colour;
        })(document.body.appendChild(document.createElement("i")))\
        """
            .formatted(token));
  }

  private double middleOf(String name) {
    return number(
        "(n => (%1$s.x[n] + %1$s.width[n] / 2) / %1$s.width[0])(%2$s)".formatted(TREE, node(name)));
  }

  private int rowOf(String name) {
    return (int) number(TREE + ".depth[" + node(name) + "]");
  }

  /** The first node of a name, as an expression. */
  private static String node(String name) {
    return "[...%1$s.frame].findIndex(each => %1$s.frames[each]?.[0] === '%2$s')"
        .formatted(TREE, name);
  }

  private double number(String expression) {
    return Double.parseDouble(browser.evaluate(expression));
  }

  private static int[] channels(String colour) {
    return Arrays.stream(colour.split(",")).mapToInt(Integer::parseInt).toArray();
  }
}
