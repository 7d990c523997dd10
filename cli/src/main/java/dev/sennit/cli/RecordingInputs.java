/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.profiles.ConversionOptions;
import dev.sennit.profiles.JfrToOtlpConverter;
import dev.sennit.profiles.ProfileExport;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The recordings of a command line: the good ones are read, and each bad one is named. */
final class RecordingInputs implements AutoCloseable {
  private final List<RecordingInput> recordings = new ArrayList<>();
  private final Consumer<String> messages;
  private boolean complete = true;

  private RecordingInputs(Consumer<String> messages) {
    this.messages = messages;
  }

  static RecordingInputs open(
      List<String> names, InputStream standardInput, Consumer<String> messages) {
    RecordingInputs inputs = new RecordingInputs(messages);
    for (String name : names) {
      try {
        inputs.recordings.add(RecordingInput.open(name, standardInput));
      } catch (IOException e) {
        inputs.complete = false;
        messages.accept(String.valueOf(e.getMessage()));
      }
    }
    return inputs;
  }

  /** Whether none had to be left out so far. */
  boolean areComplete() {
    return complete;
  }

  /**
   * Reads the good ones: whoever turns out to be bad is named, and the others are read again.
   *
   * @param progress from the number of bytes to what shows how many of them are read
   * @return null if none is good
   */
  @Nullable ProfileExport read(
      ConversionOptions options, TimeRange range, LongFunction<ProgressBar> progress)
      throws IOException {
    while (!recordings.isEmpty()) {
      Instant start =
          recordings.stream()
              .map(RecordingInput::start)
              .min(Comparator.naturalOrder())
              .orElse(Instant.EPOCH);
      Instant first = range.first(start);
      Instant end = range.end(start);
      JfrToOtlpConverter converter = new JfrToOtlpConverter(options);
      recordings.forEach(recording -> converter.addFile(recording.file(), first, end));
      long bytes = recordings.stream().mapToLong(RecordingInput::bytes).sum();
      IOException failure;
      try (ProgressBar bar = progress.apply(bytes)) {
        ProfileExport export = converter.onProgress(bar).read();
        converter.warnings().forEach(this::warn);
        return export;
      } catch (IOException e) {
        failure = e;
      }
      drop(failure);
    }
    return null;
  }

  /** Calls a recording as the user did; standard input was a temporary file to the converter. */
  private void warn(String warning) {
    String line = warning;
    for (RecordingInput recording : recordings) {
      line = line.replace(recording.file().toString(), recording.name());
    }
    messages.accept("warning: " + line);
  }

  private void drop(IOException failure) throws IOException {
    Optional<RecordingInput> bad =
        recordings.stream().filter(recording -> recording.isNamedBy(failure)).findFirst();
    if (bad.isEmpty()) {
      throw CommandFailure.wrongInput(String.valueOf(failure.getMessage()));
    }
    messages.accept(RecordingInput.describe(bad.get().name(), failure));
    complete = false;
    recordings.remove(bad.get());
    bad.get().close();
  }

  @Override
  public void close() throws IOException {
    for (RecordingInput recording : recordings) {
      recording.close();
    }
  }
}
