/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What is printed is a file, and the document shows it. */
class ConfigurationTextTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "configuration.md");

  @Test
  void whatIsPrintedIsReadAsTheDefaults() throws ConfigurationException {
    Configuration read = ConfigurationReader.read("f.yaml", ConfigurationText.ofDefaults());

    assertThat(read).isEqualTo(Configuration.defaults());
    for (Key<?> key : Keys.all()) {
      assertThat(read.isSet(key)).as(key.path()).isEqualTo(key.standard() != null);
    }
  }

  @Test
  void whatIsOnlyShownCanBeReadToo() throws ConfigurationException {
    String text =
        ConfigurationText.ofDefaults()
            .replaceAll("(?m)^( +)# ([a-z_]+: [^ ]*( shop\\})?)$", "$1$2");
    Configuration read = ConfigurationReader.read("f.yaml", text);

    for (Key<?> key : Keys.all()) {
      assertThat(read.isSet(key)).as(key.path()).isTrue();
    }
  }

  @Test
  void theDocumentShowsIt() throws IOException {
    assertThat(Files.readString(DOCUMENT))
        .as("the block of YAML in docs/configuration.md is what --print-config prints")
        .contains("```yaml\n" + ConfigurationText.ofDefaults() + "```\n");
  }
}
