/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.cli.local.Rows;
import dev.sennit.cli.local.StoreQuestions;
import dev.sennit.store.database.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sennit sql}: a question to a store. */
@Command(
    name = "sql",
    description =
        "Asks the store a question in SQL, also while a daemon writes to it. Nothing in it can be"
            + " changed.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  sennit sql 'SHOW TABLES'",
      "  sennit sql 'DESCRIBE spans'",
      "  sennit sql 'FROM traces ORDER BY duration_ns DESC LIMIT 10'",
      "  sennit sql \"SELECT attributes ->> 'http.route' AS route, count(*) FROM spans GROUP BY"
          + " route\"",
      "  sennit sql --json 'FROM logs WHERE severity >= 17' | jq '.rows[]'"
    })
final class SqlCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "SQL", description = "One question, such as SELECT, FROM or DESCRIBE.")
  private String sql = "";

  @Mixin private StoreOption store = new StoreOption();

  @ArgGroup private Form form = new Form();

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "1000",
      description = "How many rows a table has at most; ${DEFAULT-VALUE} by default.")
  private int rows;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "1m",
      converter = DurationConverter.class,
      description = "How long the answer may take; ${DEFAULT-VALUE} by default.")
  private Duration timeout = Duration.ofMinutes(1);

  /** How the answer is printed, if not as a table. */
  private static final class Form {
    @Option(names = "--json", description = "One JSON document.")
    private boolean json;

    @Option(names = "--csv", description = "Lines of values, with the names in the first.")
    private boolean csv;
  }

  SqlCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (Rows answer = StoreQuestions.ask(store.path(), sql, timeout)) {
      SqlAnswer printed = new SqlAnswer(answer, Commands.out(spec));
      if (form.json) {
        printed.asJson();
      } else if (form.csv) {
        printed.asCsv();
      } else if (printed.asTable(terminal, rows)) {
        Commands.err(spec).println("sennit: there are more than " + rows + " rows; see --rows");
      }
      Commands.out(spec).flush();
      return 0;
    } catch (StoreException e) {
      throw CommandFailure.wrongInput(e.line());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
