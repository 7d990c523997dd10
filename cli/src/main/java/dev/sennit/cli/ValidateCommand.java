/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.profiles.OtlpProfileValidator;
import dev.sennit.profiles.ValidationResult;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sennit validate}: whether files are OTLP profiles as the specification has them. */
@Command(
    name = "validate",
    description = "Checks OTLP profiles (protobuf) against every rule of the specification.",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:every file is valid",
      "1:a rule is broken; there is a line for each breach",
      "2:a file could not be read, or is not protobuf"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sennit validate app.otlp",
      "  sennit convert app.jfr -o - | sennit validate -",
      "  sennit validate --json app.otlp | jq '.files[].findings'"
    })
final class ValidateCommand implements Callable<Integer> {
  /** Where the validator finds what is wrong with the encoding itself. */
  private static final String ENCODING = "protobuf";

  private static final ValidationResult NOTHING = new ValidationResult(List.of(), 0);

  @Spec private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "The files; - is standard input.")
  private List<String> files = List.of();

  @Option(names = "--json", description = "One JSON document.")
  private boolean json;

  /**
   * What became of a file.
   *
   * @param failure why it could not be checked; null if it could
   */
  record Checked(String file, ValidationResult result, @Nullable String failure) {
    int status() {
      return failure != null
          ? CommandFailure.WRONG_INPUT
          : result.isValid() ? 0 : CommandFailure.NOT_SO;
    }

    /** For people: a line for each finding, or one that says that it is valid. */
    List<String> lines() {
      List<String> lines = new ArrayList<>();
      for (ValidationResult.Finding finding : result.findings()) {
        String warning = finding.severity() == ValidationResult.Severity.WARNING ? "warning: " : "";
        lines.add(file + ": " + warning + finding.where() + ": " + finding.problem());
      }
      if (result.omitted() > 0) {
        lines.add(file + ": and " + result.omitted() + " more");
      }
      if (failure != null) {
        lines.add(file + ": " + failure);
      } else if (result.isValid()) {
        lines.add(file + ": valid");
      }
      return lines;
    }
  }

  @Override
  public Integer call() {
    List<Checked> all = new ArrayList<>();
    for (String file : files) {
      Checked checked = check(file);
      all.add(checked);
      if (!json) {
        print(checked);
      }
    }
    if (json) {
      Commands.out(spec).println(document(all));
    }
    Commands.out(spec).flush();
    return all.stream().mapToInt(Checked::status).max().orElse(0);
  }

  /** Checks a file, or standard input. */
  static Checked check(String name) {
    try {
      ValidationResult result = validate(name);
      for (ValidationResult.Finding finding : result.errors()) {
        if (finding.where().equals(ENCODING)) {
          return new Checked(name, NOTHING, "it is not protobuf: " + finding.problem());
        }
      }
      return new Checked(name, result, null);
    } catch (CommandFailure e) {
      return new Checked(name, NOTHING, e.getMessage());
    } catch (IOException e) {
      String line = RecordingInput.describe(name, e);
      return new Checked(name, NOTHING, line.substring(name.length() + 2));
    }
  }

  private static ValidationResult validate(String name) throws IOException {
    if (name.equals(RecordingInput.STANDARD)) {
      return validate(MemorySegment.ofArray(System.in.readAllBytes()));
    }
    if (Files.isDirectory(Path.of(name))) {
      throw CommandFailure.wrongInput("it is a folder");
    }
    try (FileChannel channel = FileChannel.open(Path.of(name), StandardOpenOption.READ);
        Arena arena = Arena.ofConfined()) {
      return validate(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena));
    }
  }

  private static ValidationResult validate(MemorySegment bytes) {
    @Nullable String other = OtherFormat.of(bytes);
    if (other != null) {
      throw CommandFailure.wrongInput("it is not OTLP in protobuf: " + other);
    }
    return OtlpProfileValidator.validate(bytes);
  }

  private void print(Checked checked) {
    for (String line : checked.lines()) {
      if (checked.failure != null) {
        Commands.err(spec).println(Printable.of("sennit: " + line));
      } else {
        Commands.out(spec).println(Printable.of(line));
      }
    }
  }

  private static String document(List<Checked> all) {
    return Json.object(
        json -> {
          json.writeArrayFieldStart("files");
          for (Checked checked : all) {
            json.writeStartObject();
            json.writeStringField("file", checked.file);
            json.writeBooleanField("valid", checked.status() == 0);
            json.writeStringField("failure", checked.failure);
            json.writeArrayFieldStart("findings");
            for (ValidationResult.Finding finding : checked.result.findings()) {
              json.writeStartObject();
              json.writeBooleanField(
                  "error", finding.severity() == ValidationResult.Severity.ERROR);
              json.writeStringField("where", finding.where());
              json.writeStringField("problem", finding.problem());
              json.writeEndObject();
            }
            json.writeEndArray();
            json.writeNumberField("omitted", checked.result.omitted());
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }
}
