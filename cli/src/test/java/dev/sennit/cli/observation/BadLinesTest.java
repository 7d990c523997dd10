/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.correlation.record.LogRecord;
import dev.sennit.kernel.TracerSettings;
import dev.sennit.otlp.AttributeValue;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever programs write, the lines after it are read as always, and nothing is hidden. */
@Requires(root = true, commands = "python3")
final class BadLinesTest {
  private static final int LONGEST = TracerSettings.LONGEST_LINE;

  @TempDir private Path folder;

  @Test
  void linesOfTenMegabytesAreCut() throws Exception {
    List<LogRecord> records =
        read(
            """
            out(b'x' * 10_000_000 + b'\\n')
            for i in range(10_000): out(b'y' * 1_000)
            out(b'\\n')
            """);

    assertThat(records).filteredOn(BadLinesTest::isCut).hasSize(2);
    assertThat(records).filteredOn(BadLinesTest::isCut).allMatch(r -> r.body().length == LONGEST);
  }

  @Test
  void nulBytesAndBrokenTextSurvive() throws Exception {
    assertThat(read("out(b'a\\x00b\\xff\\xc3c\\n')"))
        .extracting(record -> new String(record.body(), StandardCharsets.ISO_8859_1))
        .contains("a\0b\u00ff\u00c3c");
  }

  @Test
  void jsonThatIsBrokenOrDeepIsText() throws Exception {
    assertThat(
            read(
                """
                out(b'{"a":' * 10_000 + b'\\n')
                out(b'[' * 10_000 + b'\\n')
                out(b'{"message": "half\\n')
                out(b'{"message": "whole", "level": "error"}\\n')
                """))
        .extracting(record -> new String(record.body(), StandardCharsets.UTF_8))
        .contains("{\"a\":".repeat(10_000), "[".repeat(10_000), "{\"message\": \"half", "whole");
  }

  @Test
  void aLineWhoseDescriptorIsClosedIsReadAsFarAsItCame() throws Exception {
    assertThat(
            read(
                """
                fd = os.open(folder + '/half.log', os.O_WRONLY | os.O_CREAT)
                os.write(fd, b'half a li')
                os.close(fd)
                """))
        .extracting(record -> new String(record.body(), StandardCharsets.UTF_8))
        .contains("half a li");
  }

  @Test
  void aFileThatIsDeletedWhileItIsWrittenIsReadToItsEnd() throws Exception {
    assertThat(
            read(
                """
                fd = os.open(folder + '/gone.log', os.O_WRONLY | os.O_CREAT)
                os.write(fd, b'before\\n')
                os.unlink(folder + '/gone.log')
                os.write(fd, b'after\\n')
                """))
        .extracting(record -> new String(record.body(), StandardCharsets.UTF_8))
        .contains("before", "after");
  }

  private List<LogRecord> read(String program) throws Exception {
    String prelude =
        """
        import os, sys
        folder = sys.argv[1]
        def out(text):
            while text:
                text = text[os.write(1, text):]
        """;
    try (ObservedPrograms programs =
        ObservedPrograms.start(new TracerSettings.Builder().ringBytes(64 << 20).build())) {
      ChildProcess child =
          programs.run(
              List.of(
                  "python3",
                  "-c",
                  prelude + program + "\nout(b'the last line\\n')",
                  folder.toString()));
      assertThat(child.readAll()).isNotEmpty();
      assertThat(child.waitFor()).as(child.errors()).isZero();
      programs.awaitRecords(
          1, record -> new String(record.body(), StandardCharsets.UTF_8).equals("the last line"));
      return programs.records();
    }
  }

  private static boolean isCut(LogRecord record) {
    return AttributeValue.of(true).equals(record.attributes().get("sennit.cut"));
  }
}
