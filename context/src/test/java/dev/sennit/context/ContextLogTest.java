/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContextLogTest {
  private final PrintStream before = System.err;
  private final ByteArrayOutputStream captured = new ByteArrayOutputStream();

  @BeforeEach
  void captureStandardError() {
    System.setErr(new PrintStream(captured, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void restore() {
    System.setErr(before);
    System.clearProperty("sennit.log");
  }

  @Test
  void linesGoToStandardErrorWithAPrefix() {
    ContextLog.warn("the ring could not be mapped");
    assertThat(errors()).isEqualTo("sennit: the ring could not be mapped\n");
  }

  @Test
  void aMessageIsOneLineWhateverItHolds() {
    ContextLog.warn("first\nsecond\r\nthird");
    assertThat(errors()).isEqualTo("sennit: first second third\n");
  }

  @Test
  void offSaysNothing() {
    System.setProperty("sennit.log", "off");
    ContextLog.warn("unheard");
    assertThat(errors()).isEmpty();
  }

  @Test
  void aFileIsAppendedTo(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("log");
    System.setProperty("sennit.log", file.toString());
    ContextLog.warn("one");
    ContextLog.warn("two");
    assertThat(Files.readString(file)).isEqualTo("sennit: one\nsennit: two\n");
    assertThat(errors()).isEmpty();
  }

  @Test
  void aFileThatCannotBeWrittenMeansStandardError(@TempDir Path folder) {
    Path file = folder.resolve("missing/log");
    System.setProperty("sennit.log", file.toString());
    ContextLog.warn("still heard");
    assertThat(errors()).startsWith("sennit: still heard (sennit.log=" + file);
  }

  @Test
  void anApplicationsOwnStreamMayFail() {
    System.setErr(
        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8) {
          @Override
          public void println(String line) {
            throw new IllegalStateException("closed by the application");
          }
        });
    ContextLog.warn("lost, and nobody is hurt");
    assertThat(errors()).isEmpty();
  }

  private String errors() {
    return captured.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
  }
}
