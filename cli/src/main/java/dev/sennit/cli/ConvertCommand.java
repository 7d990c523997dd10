/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.otlp.AttributeValue;
import dev.sennit.profiles.ConversionOptions;
import dev.sennit.profiles.Profile;
import dev.sennit.profiles.ProfileExport;
import dev.sennit.profiles.ProfileType;
import dev.sennit.profiles.format.ProfileName;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sennit convert}: recordings to profiles. */
@Command(
    name = "convert",
    description = "Converts JFR recordings to OTLP profiles, a flame graph and other formats.",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:all recordings were converted",
      "1:with --validate: a rule is broken; there is a line for each breach",
      "2:wrong usage, or a recording could not be read; the others were converted"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sennit convert app.jfr -o app.otlp              all that is in it, as OTLP",
      "  sennit convert app.jfr -o app.html              a flame graph",
      "  sennit convert a.jfr b.jfr -o cpu.collapsed --types cpu",
      "  sennit convert app.jfr -o app.pb.gz && go tool pprof -top app.pb.gz",
      "  sennit convert - -o - --format json <app.jfr | jq ."
    })
final class ConvertCommand implements Callable<Integer> {
  private final Terminal errors;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      paramLabel = "IN.jfr",
      arity = "1..*",
      description = "The recordings, merged into one output; - is standard input.")
  private List<String> inputs = List.of();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "OUT",
      required = true,
      description = "The file to write; - is standard output.")
  private String output = "";

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      converter = OutputFormatConverter.class,
      description =
          "otlp, json, json-pretty, collapsed, pprof, speedscope or flamegraph. Without it, the end"
              + " of OUT decides: .otlp or .pb, .json, .collapsed or .txt, .pprof or .pb.gz,"
              + " .speedscope.json, .html.")
  private @Nullable OutputFormat format;

  @Option(
      names = "--types",
      paramLabel = "TYPE",
      split = ",",
      converter = ProfileTypeConverter.class,
      completionCandidates = ProfileTypeConverter.Names.class,
      description = "Only these: ${COMPLETION-CANDIDATES}.")
  private @Nullable Set<ProfileType> types;

  @Option(
      names = "--aggregate",
      description = "One sum for each sample instead of the times and values of its events.")
  private boolean aggregate;

  @Option(
      names = "--original-payload",
      description = "Include the recordings themselves in OTLP, in the first profile.")
  private boolean originalPayload;

  @Option(
      names = "--resource",
      paramLabel = "KEY=VALUE",
      description = "A resource attribute, such as service.name=cart; may be repeated.")
  private Map<String, String> resource = new LinkedHashMap<>();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      converter = Moment.Converter.class,
      description =
          "Only events since then: 2026-01-31T12:00:00Z, or +10s after the first recording"
              + " starts.")
  private @Nullable Moment from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      converter = Moment.Converter.class,
      description = "Only events before then.")
  private @Nullable Moment to;

  @Option(names = "--descriptors", description = "Keep the descriptors of methods.")
  private boolean descriptors;

  @Option(
      names = "--max-size",
      paramLabel = "SIZE",
      converter = ByteSize.Converter.class,
      defaultValue = "64MiB",
      description =
          "Divide OTLP that is larger over OUT.1, OUT.2 and so on, each valid by itself. Default:"
              + " 64MiB, what receivers should take.")
  private ByteSize maxSize = new ByteSize(64 << 20);

  @Option(
      names = "--validate",
      description = "Check the OTLP that was written (protobuf) against every rule.")
  private boolean validate;

  ConvertCommand(Terminal errors) {
    this.errors = errors;
  }

  @Override
  public Integer call() throws IOException {
    ConversionOutput target = new ConversionOutput(output, format(), maxSize.bytes());
    checkOutput(target);
    try (RecordingInputs recordings = RecordingInputs.open(inputs, System.in, this::say)) {
      @Nullable ProfileExport export =
          recordings.read(
              options(),
              new TimeRange(from, to),
              bytes -> new ProgressBar(err(), errors.interactive(), bytes));
      if (export == null) {
        return CommandFailure.WRONG_INPUT;
      }
      List<Path> written = write(target, export);
      int found = validate ? validate(written) : 0;
      return recordings.areComplete() ? found : CommandFailure.WRONG_INPUT;
    } catch (OutOfMemoryError e) {
      throw CommandFailure.wrongInput(
          "there is too little memory for this, with a heap of at most "
              + new ByteSize(Runtime.getRuntime().maxMemory())
              + "; convert less (--types, --from and --to), or allow more:"
              + " JAVA_TOOL_OPTIONS=-Xmx8g");
    }
  }

  /** The status of files that were written, with a line for each finding. */
  int validate(List<Path> files) {
    int status = 0;
    for (Path file : files) {
      ValidateCommand.Checked checked = ValidateCommand.check(file.toString());
      checked.lines().forEach(this::say);
      status = Math.max(status, checked.status());
    }
    return status;
  }

  private OutputFormat format() {
    if (format != null) {
      return format;
    }
    if (output.equals(RecordingInput.STANDARD)) {
      return OutputFormat.OTLP;
    }
    @Nullable OutputFormat byName = OutputFormat.ofFile(output);
    if (byName == null) {
      throw CommandFailure.wrongInput(
          output + ": its name does not tell the format; add --format " + OutputFormat.names());
    }
    return byName;
  }

  /** What cannot work is said before a large recording is read. */
  private void checkOutput(ConversionOutput target) throws IOException {
    if (Collections.frequency(inputs, RecordingInput.STANDARD) > 1) {
      throw CommandFailure.wrongInput("standard input can be read once only");
    }
    OutputFormat chosen = target.format();
    if (originalPayload
        && !EnumSet.of(OutputFormat.OTLP, OutputFormat.JSON, OutputFormat.JSON_PRETTY)
            .contains(chosen)) {
      throw CommandFailure.wrongInput(
          "--original-payload is for OTLP; a "
              + chosen.name().toLowerCase(Locale.ROOT)
              + " file has no place for it");
    }
    if (validate && chosen != OutputFormat.OTLP) {
      throw CommandFailure.wrongInput("--validate is for OTLP in protobuf, the format otlp");
    }
    if (validate && target.isStream() && !Files.isDirectory(Path.of(output))) {
      throw CommandFailure.wrongInput(
          "--validate reads what was written, and "
              + output
              + " cannot be read again; pipe it instead: -o - | sennit validate -");
    }
    if (output.equals(RecordingInput.STANDARD)) {
      return;
    }
    Path file = Path.of(output);
    @Nullable Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file) || folder == null) {
      throw CommandFailure.wrongInput(output + ": it is a folder; name a file in it");
    }
    if (!Files.isDirectory(folder)) {
      throw CommandFailure.wrongInput(output + ": there is no folder " + folder);
    }
    for (String input : inputs) {
      if (Files.exists(file)
          && Files.exists(Path.of(input))
          && Files.isSameFile(file, Path.of(input))) {
        throw CommandFailure.wrongInput(output + ": it is a recording to read, and not replaced");
      }
    }
  }

  private ConversionOptions options() {
    Map<String, AttributeValue> attributes = new LinkedHashMap<>();
    resource.forEach((key, value) -> attributes.put(key, AttributeValue.of(value)));
    ConversionOptions options =
        ConversionOptions.defaults()
            .withAggregate(aggregate)
            .withOriginalPayload(originalPayload)
            .withResource(attributes)
            .withDescriptors(descriptors);
    return types == null ? options : options.withTypes(types);
  }

  /** The files that were written; none where it went to a stream. */
  private List<Path> write(ConversionOutput target, ProfileExport export) {
    Profile chosen = export.profiles().getFirst();
    if (target.format() == OutputFormat.COLLAPSED && export.profiles().size() > 1) {
      say(
          "a collapsed file has one type: this one has "
              + ProfileName.of(export, chosen)
              + "; also recorded, for --types: "
              + export.profiles().stream()
                  .skip(1)
                  .map(profile -> ProfileName.of(export, profile))
                  .collect(Collectors.joining(", ")));
    }
    try {
      ConversionOutput.Written written =
          target.write(export, chosen, new FileOutputStream(FileDescriptor.out));
      if (written.files().size() > 1) {
        say(
            "divided into "
                + written.files().size()
                + " files of at most "
                + maxSize
                + ": "
                + written.files().getFirst().getFileName()
                + " to "
                + written.files().getLast().getFileName());
      }
      if (!written.strays().isEmpty()) {
        say(
            "of an earlier run, and no part of this output: "
                + written.strays().stream()
                    .map(file -> file.getFileName().toString())
                    .collect(Collectors.joining(", ")));
      }
      say(
          ConversionOutput.summary(
              target.format() == OutputFormat.COLLAPSED ? List.of(chosen) : export.profiles(),
              written.bytes()));
      return written.files();
    } catch (IOException e) {
      throw CommandFailure.wrongInput(output + ": it could not be written: " + e.getMessage());
    }
  }

  private void say(String line) {
    err().println(Printable.of("sennit: " + line));
    err().flush();
  }

  private PrintWriter err() {
    return Commands.err(spec);
  }
}
