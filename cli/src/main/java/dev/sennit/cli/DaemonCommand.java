/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.cli.configuration.ConfigurationException;
import dev.sennit.cli.configuration.ConfigurationText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sennit daemon}: observes what a file names, until it is told to end. */
@Command(
    name = "daemon",
    description = {
      "Observes the processes and cgroups that a file names, makes spans of their requests and"
          + " sends them, until SIGTERM or SIGINT ends it.",
      "",
      "SIGHUP reads the file again. SIGUSR1 switches the observation on and off, where the file"
          + " has hook.on_demand: true."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sennit daemon --print-config > sennit.yaml",
      "  sennit daemon --config sennit.yaml",
      "  curl http://127.0.0.1:9464/metrics"
    })
final class DaemonCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "What to observe and how. Default: /etc/sennit.yaml.")
  private Path config = Path.of("/etc/sennit.yaml");

  @Option(
      names = "--print-config",
      description = "Prints a file with every key at its default, and does nothing else.")
  private boolean printConfig;

  @Override
  public Integer call() throws IOException {
    if (printConfig) {
      PrintWriter out = Commands.out(spec);
      out.print(ConfigurationText.ofDefaults());
      out.flush();
      return 0;
    }
    PrintWriter err = Commands.err(spec);
    Daemon daemon =
        new Daemon(
            config,
            line -> {
              err.println("sennit: " + Printable.of(line));
              err.flush();
            });
    try {
      daemon.run();
      return 0;
    } catch (ConfigurationException e) {
      throw CommandFailure.wrongInput(e.line());
    }
  }
}
