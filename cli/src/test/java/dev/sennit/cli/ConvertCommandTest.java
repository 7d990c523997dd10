/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.profiles.ProfileType;
import dev.sennit.testing.ChildProcess;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class ConvertCommandTest {
  private static final int PARKS = 20;

  @TempDir static Path recordings;
  private static String good;

  @TempDir Path folder;
  private Path out;

  @BeforeAll
  static void record() throws IOException {
    Path file = recordings.resolve("good.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("jdk.ThreadPark").withThreshold(Duration.ZERO).withStackTrace();
      recording.enable("jdk.ObjectAllocationOutsideTLAB").withStackTrace();
      recording.enable("jdk.JVMInformation");
      recording.start();
      for (int i = 0; i < PARKS; i++) {
        LockSupport.parkNanos(recording, 1_000);
      }
      assertThat(new byte[8 << 20]).isNotNull();
      recording.stop();
      recording.dump(file);
    }
    good = file.toString();
    byte[] bytes = Files.readAllBytes(file);
    Files.write(recordings.resolve("cut.jfr"), Arrays.copyOf(bytes, bytes.length / 2));
    Files.write(recordings.resolve("empty.jfr"), new byte[0]);
    Files.write(recordings.resolve("zip.jfr"), new byte[] {'P', 'K', 3, 4, 0, 0, 0, 0});
    Files.writeString(recordings.resolve("text.jfr"), "this is no recording at all");
    byte[] damaged = bytes.clone();
    // The offset of the metadata, far behind the end of the file.
    Arrays.fill(damaged, 24, 32, (byte) 0x11);
    Files.write(recordings.resolve("damaged.jfr"), damaged);
  }

  @BeforeEach
  void output() {
    out = folder.resolve("out.otlp");
  }

  @Test
  void theRecordingItselfIsIncludedOnRequest() throws IOException {
    Sennit convert = Sennit.run("convert", good, "-o", out.toString(), "--original-payload");
    assertThat(convert.status()).isZero();
    assertThat(Files.size(out)).isGreaterThan(Files.size(Path.of(good)));
    assertThat(Sennit.run("validate", out.toString()).status()).isZero();
    Sennit wrong = Sennit.run("convert", good, "-o", out + ".html", "--original-payload");
    assertThat(wrong.err()).contains("--original-payload").contains("flamegraph");
    assertThat(wrong.status()).isEqualTo(2);
  }

  @Test
  void aRecordingBecomesValidOtlpAndOneLineSaysWhatIsInIt() {
    Sennit convert = convert(good);
    assertThat(convert.err())
        .matches("sennit: \\d+ profiles, \\d+ samples?, \\d+ events?, \\S+ (bytes|KiB)\n");
    assertThat(convert.status()).isZero();
    assertThat(convert.out()).isEmpty();
    Sennit validate = Sennit.run("validate", out.toString());
    assertThat(validate.out()).isEqualTo(out + ": valid\n");
    assertThat(validate.status()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "out.otlp, 0a",
    "out.pb, 0a",
    "out.json, 7b22",
    "out.pprof, 1f8b",
    "out.pb.gz, 1f8b",
    "out.speedscope.json, 7b2224736368656d61223a",
    "OUT.HTML, 3c21444f4354595045",
    "out.collapsed, ''",
    "out.txt, ''"
  })
  void theEndOfTheNameDecidesTheFormat(String name, String start) throws IOException {
    out = folder.resolve(name);
    assertThat(convert(good, "--types", "park").status()).isZero();
    byte[] bytes = Files.readAllBytes(out);
    assertThat(HexFormat.of().formatHex(bytes)).startsWith(start);
    if (start.isEmpty()) {
      assertThat(Files.readString(out)).contains("ConvertCommandTest.record;").endsWith("\n");
    }
  }

  @Test
  void anOptionWinsOverTheName() throws IOException {
    assertThat(convert(good, "--format", "json-pretty", "--resource", "service.name=cart").status())
        .isZero();
    assertThat(Files.readString(out)).startsWith("{\n  \"resourceProfiles\"").contains("\"cart\"");
  }

  @ParameterizedTest
  @CsvSource({
    "cut.jfr, it is cut off",
    "empty.jfr, not a JFR file: it is empty (at offset 0)",
    "zip.jfr, a zip: unpack it first) (at offset 0)",
    "text.jfr, not a JFR file: starts with 74 68 69 73 (at offset 0)",
    "damaged.jfr, (at offset ",
    "none.jfr, there is no such file"
  })
  void whatIsNotARecordingGivesOneLineAndNoOutput(String name, String reason) {
    String bad = recordings.resolve(name).toString();
    Sennit convert = convert(bad);
    assertThat(convert.status()).isEqualTo(2);
    assertThat(convert.out()).isEmpty();
    assertThat(convert.err().lines())
        .singleElement()
        .asString()
        .startsWith("sennit: " + bad + ": ")
        .contains(reason);
    assertThat(files()).isEmpty();
  }

  @Test
  void amongSeveralTheGoodOnesAreConvertedAndTheStatusSaysThatSomeWereNot() {
    Sennit convert =
        convert(
            recordings.resolve("zip.jfr").toString(),
            good,
            recordings.resolve("damaged.jfr").toString(),
            good);
    assertThat(convert.status()).isEqualTo(2);
    assertThat(convert.err().lines())
        .hasSize(3)
        .satisfiesExactly(
            line -> assertThat(line).contains("zip.jfr: "),
            line -> assertThat(line).contains("damaged.jfr: "),
            line -> assertThat(line).contains(" profiles, "));
    assertThat(Sennit.run("validate", out.toString()).status()).isZero();
  }

  @Test
  void severalRecordingsAreOne() {
    assertThat(events(convert(good, good, "--types", "park")))
        .isEqualTo(2 * events(convert(good, "--types", "park")))
        .isGreaterThanOrEqualTo(2 * PARKS);
  }

  @Test
  void aTimeRangeMayBeGivenFromTheStartOfTheRecording() {
    int all = events(convert(good, "--types", "park", "--from", "+0s", "--to", "+1h"));
    assertThat(all).isGreaterThanOrEqualTo(PARKS);
    assertThat(events(convert(good, "--types", "park", "--from", "+1h"))).isZero();
    assertThat(events(convert(good, "--types", "park", "--to", "2020-01-01T00:00:00Z"))).isZero();
    Sennit wrong = convert(good, "--from", "+2s", "--to", "+1s");
    assertThat(wrong.status()).isEqualTo(2);
    assertThat(wrong.err()).contains("is not before --to");
  }

  @Test
  void whatIsTooLargeIsDividedIntoFilesThatAreValid() throws IOException {
    assertThat(convert(good).status()).isZero();
    long size = Files.size(out);
    Files.delete(out);
    Sennit convert = convert(good, "--max-size", (size - 1) + "B");
    assertThat(convert.err())
        .contains("divided into 2 files of at most ")
        .contains(": out.otlp.1 to out.otlp.2\n");
    assertThat(files()).containsExactly("out.otlp.1", "out.otlp.2");
    for (String name : files()) {
      assertThat(Files.size(folder.resolve(name))).isLessThan(size);
      assertThat(Sennit.run("validate", folder.resolve(name).toString()).status()).isZero();
    }
  }

  @Test
  void whatAnEarlierRunLeftBesideIsNamedAndKept() throws IOException {
    for (String name : List.of("out.otlp", "out.otlp.1", "out.otlp.2", "out.otlp.3")) {
      Files.writeString(folder.resolve(name), "before");
    }
    assertThat(convert(good).err())
        .contains(
            "of an earlier run, and no part of this output: out.otlp.1, out.otlp.2, out.otlp.3\n");
    long size = Files.size(out);
    assertThat(convert(good, "--max-size", (size - 1) + "B").err())
        .contains("of an earlier run, and no part of this output: out.otlp, out.otlp.3\n");
    assertThat(Files.readString(folder.resolve("out.otlp.3"))).isEqualTo("before");
  }

  @Test
  void theHelpNamesEveryType() {
    String help = Sennit.run("convert", "--help").out().replaceAll("\\s+", " ");
    for (ProfileType type : ProfileType.values()) {
      assertThat(help).containsPattern("Only these:[^.]* " + type.optionName() + "[,.]");
    }
  }

  @Test
  void whatFailsWhileWritingLeavesWhatWasThereBefore() throws IOException {
    Files.writeString(out, "before");
    Sennit convert = convert(good, "--max-size", "1B");
    assertThat(convert.status()).isEqualTo(2);
    assertThat(convert.err().lines()).singleElement().asString().contains("could not be written");
    assertThat(files()).containsExactly("out.otlp");
    assertThat(Files.readString(out)).isEqualTo("before");
  }

  @Test
  void aCollapsedFileHasOneTypeAndTheOthersAreNamed() {
    out = folder.resolve("out.collapsed");
    assertThat(convert(good).err())
        .contains("this one has alloc-tlab; also recorded, for --types: park")
        .contains("sennit: 1 profile, ");
  }

  @Test
  void standardInputAndOutputAreFilesToo() throws IOException {
    File result = folder.resolve("piped.otlp").toFile();
    ProcessBuilder builder =
        new ProcessBuilder(
            ChildProcess.javaCommand(List.of(), Main.class, "convert", "-", "-o", "-"));
    builder.redirectInput(new File(good)).redirectOutput(result);
    try (ChildProcess child = ChildProcess.start(builder)) {
      assertThat(child.waitFor()).as(child.errors()).isZero();
    }
    assertThat(convert(good).status()).isZero();
    assertThat(result).hasSameBinaryContentAs(out.toFile());
  }

  @Test
  void aTerminalSeesHowFarItIsAndAPipeDoesNot() {
    Sennit convert = Sennit.run(new Terminal(true, true), "convert", good, "-o", out.toString());
    assertThat(convert.err()).contains("\r\u001b[K[", "] 0% of ", "] 100% of ").endsWith("KiB\n");
    assertThat(convert(good).err()).doesNotContain("\u001b", "\r");
  }

  @Test
  void whatWasWrittenIsCheckedOnRequest() throws IOException {
    Sennit whole = convert(good, "--validate");
    assertThat(whole.status()).isZero();
    assertThat(whole.err()).endsWith("sennit: " + out + ": valid\n");
    Sennit divided = convert(good, "--validate", "--max-size", (Files.size(out) - 1) + "B");
    assertThat(divided.status()).isZero();
    assertThat(divided.err()).contains(out + ".1: valid\n").endsWith(out + ".2: valid\n");
    assertThat(convert(good).err()).doesNotContain("valid");
  }

  @Test
  void whatIsFoundInWhatWasWrittenIsSaidInLinesAndGivesStatusOne() throws IOException {
    // Fields 1 and 2, the resources and the dictionary, both empty.
    Path broken = Files.write(folder.resolve("broken.otlp"), new byte[] {0x0A, 0, 0x12, 0});
    StringWriter err = new StringWriter();
    CommandLine line =
        Main.commandLine(new Terminal(false, false), new Terminal(false, false))
            .setErr(new PrintWriter(err));
    ConvertCommand command =
        Objects.requireNonNull(line.getSubcommands().get("convert")).getCommand();
    assertThat(command.validate(List.of(broken))).isEqualTo(1);
    assertThat(err.toString().lines())
        .isNotEmpty()
        .allSatisfy(finding -> assertThat(finding).startsWith("sennit: " + broken + ": "))
        .anySatisfy(finding -> assertThat(finding).contains("has no scope_profiles"));
  }

  @Test
  void aFaultWhileReadingIsSaidInOneLineThatNamesTheRecording() {
    Sennit convert =
        failing(() -> new IllegalStateException("no more"), "-o", out.toString(), good);
    assertThat(convert.status()).isEqualTo(2);
    assertThat(lines(convert))
        .singleElement()
        .asString()
        .startsWith("sennit: " + good + ": reading it failed: ")
        .contains("IllegalStateException: no more (at offset ");
    assertThat(files()).isEmpty();
  }

  @Test
  void whoHasTooLittleMemoryIsToldWhatToDo() {
    Sennit convert =
        failing(() -> new OutOfMemoryError("Java heap space"), "-o", out.toString(), good);
    assertThat(convert.status()).isEqualTo(2);
    assertThat(lines(convert))
        .singleElement()
        .asString()
        .contains("too little memory", "--types", "--from", "-Xmx");
    assertThat(files()).isEmpty();
  }

  /** Converts for a terminal that fails when the threads that read tell it how far they are. */
  private static Sennit failing(Supplier<Throwable> failure, String... arguments) {
    StringWriter err =
        new StringWriter() {
          @Override
          public void write(String text, int offset, int length) {
            if (Thread.currentThread().getName().startsWith("sennit convert ")) {
              ConvertCommandTest.<RuntimeException>raise(failure.get());
            }
            super.write(text, offset, length);
          }
        };
    Terminal terminal = new Terminal(true, false);
    int status =
        Main.commandLine(terminal, terminal)
            .setErr(new PrintWriter(err))
            .execute(
                Stream.concat(Stream.of("convert"), Stream.of(arguments)).toArray(String[]::new));
    return new Sennit(status, "", err.toString());
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> void raise(Throwable failure) throws T {
    throw (T) failure;
  }

  /** Without the bar that a terminal sees. */
  private static Stream<String> lines(Sennit convert) {
    return convert.err().replaceAll("\r\u001b\\[K(\\[[# ]*\\] [^\r\n]*)?", "").lines();
  }

  @ParameterizedTest
  @CsvSource({
    "-o out.xyz, its name does not tell the format",
    "-o . --format otlp, it is a folder",
    "-o none/out.otlp, there is no folder",
    "-o out.otlp --types heat, 'heat'' is not a profile type'",
    "-o out.otlp --format xml, 'xml'' is not one of otlp, json,'",
    "-o out.otlp --from noon, 'noon'' is not a time such as'",
    "-o out.otlp --max-size big, 'big'' is not a size such as'",
    "-o out.otlp --resource novalue, novalue",
    "-o out.json --validate, --validate is for OTLP in protobuf",
    "-o - --validate, cannot be read again",
    "'', '--output'"
  })
  void wrongUsageIsSaidInOneLine(String options, String culprit) {
    String[] arguments =
        Stream.concat(
                Stream.of("convert", good),
                Stream.of(options.split(" ")).filter(option -> !option.isEmpty()))
            .map(a -> a.startsWith("out.") || a.startsWith("none/") ? folder.resolve(a) + "" : a)
            .toArray(String[]::new);
    Sennit convert = Sennit.run(arguments);
    assertThat(convert.status()).isEqualTo(2);
    assertThat(convert.err().lines())
        .singleElement()
        .asString()
        .contains(culprit.replace("''", "'").replaceAll("^'|'$", ""));
    assertThat(files()).isEmpty();
  }

  @Test
  void aRecordingIsNotReplaced() throws IOException {
    Path copy = Files.copy(Path.of(good), folder.resolve("copy.jfr"));
    Sennit convert =
        Sennit.run("convert", copy.toString(), "-o", copy.toString(), "--format", "otlp");
    assertThat(convert.status()).isEqualTo(2);
    assertThat(copy).hasSameBinaryContentAs(Path.of(good));
  }

  private Sennit convert(String... arguments) {
    return Sennit.run(
        Stream.concat(Stream.of("convert", "-o", out.toString()), Stream.of(arguments))
            .toArray(String[]::new));
  }

  private static int events(Sennit convert) {
    assertThat(convert.status()).as(convert.err()).isZero();
    return Integer.parseInt(convert.err().replaceAll("(?s).* (\\d+) events?,.*", "$1"));
  }

  private List<String> files() {
    return Stream.of(folder.toFile().list()).sorted().toList();
  }
}
