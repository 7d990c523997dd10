/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sennit.otlp.AttributeValue;
import io.opentelemetry.proto.profiles.v1development.Profile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmc.flightrecorder.writer.api.Types;

/** The converter as people use it: options, several files, files that are not whole. */
class ConverterTest {
  private static final int EVENTS = 500;

  @TempDir Path folder;
  private Path recording;

  @BeforeEach
  void write() throws IOException {
    recording = folder.resolve("recording.jfr");
    try (SampleWriter writer = new SampleWriter(recording)) {
      writer.declare("datadog.ObjectSample", Map.of("size", Types.Builtin.LONG), true);
      for (int i = 0; i < EVENTS; i++) {
        int n = i;
        writer.write(
            "datadog.ObjectSample",
            i,
            event ->
                event
                    .putField("eventThread", writer.thread(n % 7 + 1, "thread " + n % 7))
                    .putField("stackTrace", writer.stack(false, List.of("m" + n % 50, "root")))
                    .putField("objectClass", writer.type("C" + n % 3))
                    .putField("size", (long) n));
      }
    }
  }

  @Test
  void aConverterIsAsNewAfterUse() throws IOException {
    JfrToOtlpConverter converter = new JfrToOtlpConverter();
    byte[] first = converter.addFile(recording).convert();
    assertThat(converter.addFile(recording).convert()).isEqualTo(first);
    assertThatThrownBy(converter::convert)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("add a file first");
  }

  @Test
  void aConverterIsAsNewAfterAFailure() throws IOException {
    JfrToOtlpConverter converter = new JfrToOtlpConverter();
    Path broken = Files.writeString(folder.resolve("broken"), "nothing of the kind");
    assertThatThrownBy(() -> converter.addFile(broken).convert())
        .isInstanceOf(IOException.class)
        .hasMessageContaining(broken + ": not a JFR file");
    assertThat(new Converted(converter.addFile(recording).convert()).total(ProfileType.ALLOC))
        .isPositive();
  }

  @Test
  void aRecordingThatBecomesShorterMeanwhileIsNamed() throws IOException {
    Path last = Files.copy(recording, folder.resolve("last.jfr"));
    JfrToOtlpConverter converter = new JfrToOtlpConverter();
    // Enough that the last one is not being read yet when the first of them is done.
    for (int i = 0; i < 3 * Runtime.getRuntime().availableProcessors() + 3; i++) {
      converter.addFile(recording);
    }
    converter.addFile(last).onProgress(bytes -> truncate(last));
    assertThatThrownBy(converter::convert)
        .isInstanceOfSatisfying(
            UnreadableRecordingException.class,
            failure -> {
              assertThat(failure.file()).isEqualTo(last.toString());
              assertThat(failure).hasMessageStartingWith(last + ": ");
              assertThat(failure).hasMessageEndingWith(" (at offset 0)");
            });
  }

  @Test
  void aFaultWhileReadingNamesTheRecordingAndTheOffset() throws IOException {
    byte[] chunk = Files.readAllBytes(recording);
    Files.write(recording, chunk, StandardOpenOption.APPEND);
    AtomicBoolean isFirst = new AtomicBoolean(true);
    JfrToOtlpConverter converter =
        new JfrToOtlpConverter()
            .addFile(recording)
            .onProgress(
                bytes -> {
                  if (!isFirst.getAndSet(false)) {
                    throw new IllegalStateException("no more");
                  }
                });
    assertThatThrownBy(converter::convert)
        .isInstanceOf(UnreadableRecordingException.class)
        .hasMessageMatching(
            Pattern.quote(recording.toString())
                + ": reading it failed: .*IllegalStateException: no more \\(at offset (0|"
                + chunk.length
                + ")\\)");
  }

  @Test
  void wantOfMemoryIsNotTheFaultOfARecording() {
    JfrToOtlpConverter converter =
        new JfrToOtlpConverter()
            .addFile(recording)
            .onProgress(
                bytes -> {
                  throw new OutOfMemoryError("Java heap space");
                });
    assertThatThrownBy(converter::convert)
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessage("Java heap space");
  }

  @Test
  void aRecordingThatCannotBeIncludedIsClosed() throws IOException {
    Path zip = folder.resolve("recordings.zip");
    try (FileSystem entries = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
      Files.copy(recording, entries.getPath("recording.jfr"));
    }
    Set<Path> before = files();
    // A file in a zip is open as a copy beside the zip until it is closed, and cannot be mapped.
    try (FileSystem entries = FileSystems.newFileSystem(zip)) {
      JfrToOtlpConverter converter =
          new JfrToOtlpConverter(ConversionOptions.defaults().withOriginalPayload(true))
              .addFile(entries.getPath("recording.jfr"));
      assertThatThrownBy(converter::convert).isInstanceOf(UnsupportedOperationException.class);
      assertThat(files()).isEqualTo(before);
    }
  }

  private Set<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.collect(Collectors.toSet());
    }
  }

  private static void truncate(Path file) {
    try {
      Files.write(file, new byte[0]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void severalFilesBecomeOneExport() throws IOException {
    Converted one = Converted.of(recording);
    Converted two = Converted.of(recording, recording);
    assertThat(two.profiles()).hasSize(1);
    assertThat(two.total(ProfileType.ALLOC)).isEqualTo(2 * one.total(ProfileType.ALLOC));
    assertThat(two.profile(ProfileType.ALLOC).getSamplesCount())
        .isEqualTo(one.profile(ProfileType.ALLOC).getSamplesCount());
  }

  @Test
  void noTypeAtAllIsRefusedWithTheTypesThereAre() {
    assertThatThrownBy(
            () -> ConversionOptions.defaults().withTypes(EnumSet.noneOf(ProfileType.class)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("choose at least one of cpu, ");
  }

  @Test
  void aTypeThatTheRecordingHasNotGivesAProfileWithoutSamples() throws IOException {
    Converted converted =
        Converted.of(
            ConversionOptions.defaults().withTypes(EnumSet.of(ProfileType.LOCK)), recording);
    assertThat(converted.profile(ProfileType.LOCK).getSamplesCount()).isZero();
  }

  @Test
  void threadsInNativeCodeAreNotSampledByProcessorTime() throws IOException {
    Path file = folder.resolve("native.jfr");
    try (SampleWriter writer = new SampleWriter(file)) {
      for (String event : List.of("jdk.ExecutionSample", "jdk.NativeMethodSample")) {
        writer.declare(event, Map.of(), false);
        writer.write(event, 1, sample -> {});
      }
    }
    ProfileExport export = new JfrToOtlpConverter().addFile(file).read();
    assertThat(export.profiles())
        .extracting(profile -> export.dictionary().strings().get(profile.periodType()))
        .containsExactly("cpu", "native");
  }

  @Test
  void theResourceIsWhatIsSaid() throws IOException {
    Converted converted =
        Converted.of(
            ConversionOptions.defaults()
                .withResource(Map.of("service.name", AttributeValue.of("shop"))),
            recording);
    assertThat(converted.resource()).containsEntry("service.name", "shop");
    assertThat(Converted.of(recording).resource())
        .containsEntry("service.name", "unknown_service:java");
  }

  @Test
  void theRecordingTravelsWithTheFirstProfileOnRequest() throws IOException {
    ConversionOptions options =
        ConversionOptions.defaults().withOriginalPayload(true).withValidate(true);
    Profile profile = Converted.of(options, recording, recording).profile(ProfileType.ALLOC);
    byte[] once = Files.readAllBytes(recording);
    byte[] twice = Arrays.copyOf(once, once.length * 2);
    System.arraycopy(once, 0, twice, once.length, once.length);
    assertThat(profile.getOriginalPayloadFormat()).isEqualTo("jfr");
    assertThat(profile.getOriginalPayload().toByteArray()).isEqualTo(twice);
    assertThat(Converted.of(recording).profile(ProfileType.ALLOC).getOriginalPayload()).isEmpty();
  }

  @Test
  void theSameRecordingHasTheSameIdAndAnotherHasAnother() throws IOException {
    Profile profile = Converted.of(recording).profile(ProfileType.ALLOC);
    assertThat(Converted.of(recording).profile(ProfileType.ALLOC).getProfileId())
        .isEqualTo(profile.getProfileId());
    ConversionOptions elsewhere =
        ConversionOptions.defaults().withResource(Map.of("host.name", AttributeValue.of("other")));
    assertThat(Converted.of(elsewhere, recording).profile(ProfileType.ALLOC).getProfileId())
        .isNotEqualTo(profile.getProfileId());
  }

  @Test
  void whatIsCompleteOfACutRecordingIsConvertedWithAWarning() throws IOException {
    byte[] whole = Files.readAllBytes(recording);
    byte[] cut = Arrays.copyOf(whole, whole.length * 2 - 700);
    System.arraycopy(whole, 0, cut, whole.length, whole.length - 700);
    Path file = Files.write(folder.resolve("cut.jfr"), cut);
    JfrToOtlpConverter converter = new JfrToOtlpConverter();
    Converted converted = new Converted(converter.addFile(file).convert());
    assertThat(converted.observations(ProfileType.ALLOC)).hasSizeGreaterThanOrEqualTo(EVENTS);
    assertThat(converter.warnings())
        .isNotEmpty()
        .allSatisfy(warning -> assertThat(warning).startsWith(file.toString()))
        .first()
        .asString()
        .contains("but the file ends after");
    converter.addFile(recording).convert();
    assertThat(converter.warnings()).isEmpty();
  }

  @Test
  void aResultIsDividedIntoValidRequests() throws IOException {
    ProfileExport export = new JfrToOtlpConverter().addFile(recording).read();
    List<ByteArrayOutputStream> parts = new ArrayList<>();
    int count =
        OtlpProfileWriter.writeSplit(
            export,
            Kind.PROTO,
            4 << 10,
            part -> {
              parts.add(new ByteArrayOutputStream());
              return parts.get(part);
            });
    assertThat(count).isGreaterThan(1).isEqualTo(parts.size());
    assertThat(parts).allSatisfy(part -> assertThat(part.size()).isLessThanOrEqualTo(4 << 10));
    assertThat(
            parts.stream()
                .mapToLong(part -> new Converted(part.toByteArray()).total(ProfileType.ALLOC))
                .sum())
        .isEqualTo(Converted.of(recording).total(ProfileType.ALLOC));
  }
}
