/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the documents say is so. */
class DocumentsTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(#[^)]*)?\\)");

  private static final Pattern COMMAND =
      Pattern.compile("(?m)^(?:sudo |\\$ )?\\./sennit ([^#\n]+?)(?: +#.*)?$");
  private static final Pattern WORD = Pattern.compile("'[^']*'|\\S+");
  private static final Path AGENT =
      Path.of("..", "agent", "target", "sennit-agent.jar").toAbsolutePath().normalize();

  @TempDir Path folder;

  @Test
  void everyLinkLeadsToAFile() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path document : documents()) {
      Matcher links = LINK.matcher(Files.readString(document));
      while (links.find()) {
        if (!Files.exists(document.resolveSibling(links.group(1)))) {
          broken.add(document + ": " + links.group(1));
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void theReadmeMapsEveryDocument() throws IOException {
    String readme = Files.readString(ROOT.resolve("README.md"));
    for (Path document : documents()) {
      String name = ROOT.relativize(document).toString();
      assertThat(readme.contains("](" + name + ")") || name.equals("README.md")).as(name).isTrue();
    }
  }

  @Test
  @Requires(commands = "python3")
  void theReaderInPythonSeesWhatTheCommandSees() throws IOException {
    String document = Files.readString(ROOT.resolve("docs/context.md"));
    int start = document.indexOf("```python\n") + "```python\n".length();
    Path script = folder.resolve("reader.py");
    Files.writeString(script, document.substring(start, document.indexOf("```", start)));
    try (Demo demo = Demo.start("--mode", "otel", "--threads", "8")) {
      List<String> lines = List.of();
      for (int i = 0; i < 100 && lines.isEmpty(); i++) {
        try (ChildProcess python =
            ChildProcess.start(List.of("python3", script.toString(), demo.pid()))) {
          lines = python.readAll();
          assertThat(python.waitFor()).as(python.errors()).isZero();
        }
      }
      assertThat(lines)
          .hasSizeBetween(1, 8)
          .allMatch(line -> line.matches("\\d+ 00-[0-9a-f]{32}-[0-9a-f]{16}-01"));
    }
  }

  /** With something small in the place of what is the reader's own. */
  @Test
  @Requires(root = true, commands = "python3")
  void theCommandsOfTheReadmeRun() throws IOException {
    String readme = Files.readString(ROOT.resolve("README.md"));
    List<List<String>> commands = new ArrayList<>();
    try (Demo demo = Demo.start("--mode", "otel", "--threads", "2")) {
      Matcher lines = COMMAND.matcher(readme);
      while (lines.find()) {
        commands.add(arguments(lines.group(1), demo.pid()));
      }
      assertThat(commands.stream().map(List::getFirst))
          .contains("demo", "run", "profile", "convert", "sql", "trace-raw", "doctor");
      for (List<String> command : commands) {
        ProcessBuilder builder =
            new ProcessBuilder(
                ChildProcess.javaCommand(
                    List.of("-Dsennit.agent=" + AGENT),
                    Main.class,
                    command.toArray(String[]::new)));
        builder.directory(folder.toFile());
        try (ChildProcess sennit = ChildProcess.start(builder)) {
          assertThat(sennit.waitFor()).as(command + sennit.errors()).isZero();
        }
      }
    }
  }

  private List<String> arguments(String line, String pid) {
    String small =
        line.replace("PID", pid)
            .replace("2442", pid)
            .replace("30s", "2s")
            .replaceFirst("-- .*", "-- true")
            .replaceFirst("^demo$", "demo --for 3s --page 0")
            .replaceFirst("^run ", "run --page 0 --store " + folder.resolve("store.duckdb") + " ")
            .replaceFirst("^sql ", "sql --store " + folder.resolve("store.duckdb") + " ");
    List<String> arguments = new ArrayList<>();
    Matcher words = WORD.matcher(small);
    while (words.find()) {
      arguments.add(words.group().replace("'", ""));
    }
    return arguments;
  }

  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>();
    for (Path place : List.of(ROOT, ROOT.resolve("docs"))) {
      try (Stream<Path> files = Files.list(place)) {
        files.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
      }
    }
    return documents;
  }
}
