/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TerminalTest {
  private static final Map<String, String> XTERM = Map.of("TERM", "xterm-256color");

  @Test
  void aTerminalHasColours() {
    Terminal terminal = Terminal.of("/dev/pts/3", XTERM);
    assertThat(terminal).isEqualTo(new Terminal(true, true));
    assertThat(terminal.bold("x")).isEqualTo("\u001b[1mx\u001b[0m");
  }

  @Test
  void aPipeOrAFileHasNone() {
    assertThat(Terminal.of("pipe:[4711]", XTERM)).isEqualTo(new Terminal(false, false));
    assertThat(Terminal.of("/home/me/out.txt", XTERM)).isEqualTo(new Terminal(false, false));
    assertThat(Terminal.of("pipe:[4711]", XTERM).bold("x")).isEqualTo("x");
  }

  @Test
  void noColorIsObeyedUnlessItIsEmpty() {
    assertThat(Terminal.of("/dev/tty1", Map.of("TERM", "linux", "NO_COLOR", "1")))
        .isEqualTo(new Terminal(true, false));
    assertThat(Terminal.of("/dev/tty1", Map.of("TERM", "linux", "NO_COLOR", "")))
        .isEqualTo(new Terminal(true, true));
  }

  @Test
  void aDumbTerminalHasNone() {
    assertThat(Terminal.of("/dev/pts/3", Map.of("TERM", "dumb")).colours()).isFalse();
    assertThat(Terminal.of("/dev/pts/3", Map.of()).colours()).isFalse();
  }
}
