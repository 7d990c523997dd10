/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.store.StoreReader;
import dev.sennit.store.database.StoreException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sennit export}: the tables of a store as files for other tools. */
@Command(
    name = "export",
    description = "Writes every table of the store into a Parquet file.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  sennit export --parquet telemetry/",
      "  duckdb -c \"FROM 'telemetry/spans.parquet'\""
    })
final class ExportCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Mixin private StoreOption store = new StoreOption();

  @Option(
      names = "--parquet",
      paramLabel = "FOLDER",
      required = true,
      description = "Where the files go; those of the same names are replaced.")
  private Path folder = Path.of("");

  @Override
  public Integer call() {
    try (StoreReader reader = StoreReader.open(store.path(), folder)) {
      for (Path file : reader.queries().exportParquet(folder)) {
        Commands.out(spec).println(Printable.of(file.toString()));
      }
      Commands.out(spec).flush();
      return 0;
    } catch (StoreException e) {
      throw CommandFailure.wrongInput(e.line());
    }
  }
}
