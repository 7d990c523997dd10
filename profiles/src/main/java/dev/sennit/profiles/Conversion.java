/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.otlp.AttributeValue;
import dev.sennit.otlp.BuildVersion;
import dev.sennit.profiles.dictionary.ProfilesDictionary;
import dev.sennit.profiles.jfr.ChunkReader;
import dev.sennit.profiles.jfr.JfrChunk;
import dev.sennit.profiles.jfr.JfrFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;

/**
 * One run over some recordings, their chunks side by side, each merged in the order of the files as
 * soon as it is done. So no more chunks are in memory than are being worked on. What recordings say
 * of themselves is collected on the way, or before if samples cannot be understood without it.
 */
final class Conversion {
  private static final String SCOPE_NAME = "dev.sennit.profiles";
  private static final int WORKERS = Runtime.getRuntime().availableProcessors();
  private static final String SCHEMA_URL = "https://opentelemetry.io/schemas/1.44.0";

  private final ConversionOptions options;
  private final LongConsumer progress;
  private final List<RecordingFacts> facts = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final List<MemorySegment> recordings = new ArrayList<>();
  private final ProfilesDictionary dictionary = new ProfilesDictionary();
  private final SharedStacks stacks = new SharedStacks(dictionary);
  private final Map<ProfileType, TypeSamples> samples = new EnumMap<>(ProfileType.class);
  private final Set<ProfileType> weighted = EnumSet.noneOf(ProfileType.class);
  private long start = Long.MAX_VALUE;
  private long end;
  private long failed;
  private long untimely;
  private long unmeasured;

  Conversion(ConversionOptions options, LongConsumer progress) {
    this.options = options;
    this.progress = progress;
    for (ProfileType type : ProfileType.values()) {
      if (type.isWeighted()) {
        weighted.add(type);
      }
    }
  }

  /** What was left out or is doubtful, for people. */
  List<String> warnings() {
    return List.copyOf(warnings);
  }

  void run(List<JfrToOtlpConverter.Input> inputs) throws IOException {
    List<JfrFile> files = new ArrayList<>();
    try (ExecutorService executor =
        Executors.newFixedThreadPool(
            WORKERS, Thread.ofPlatform().daemon().name("sennit convert ", 1).factory())) {
      try {
        for (JfrToOtlpConverter.Input input : inputs) {
          JfrFile file = open(input.file());
          files.add(file);
          include(file, input);
        }
        boolean factsFirst = factsComeFirst(files);
        if (factsFirst) {
          collectFacts(files, executor);
        }
        convertChunks(inputs, files, executor, !factsFirst);
      } finally {
        executor.shutdownNow();
      }
    } finally {
      for (JfrFile file : files) {
        file.warnings().stream().filter(text -> !warnings.contains(text)).forEach(warnings::add);
        file.close();
      }
    }
    warn(failed, "samples have no stack, since the recorder failed to take it; they are left out");
    warn(untimely, "events have no time after 1970; they are left out");
    warn(unmeasured, "events have no size in the recording; each counts as one byte");
  }

  private void warn(long count, String what) {
    if (count > 0) {
      warnings.add(count + " " + what);
    }
  }

  private static JfrFile open(Path path) throws IOException {
    try {
      return JfrFile.open(path);
    } catch (IOException e) {
      throw UnreadableRecordingException.of(path, 0, e);
    }
  }

  private void include(JfrFile file, JfrToOtlpConverter.Input input) throws IOException {
    facts.add(new RecordingFacts());
    for (JfrChunk chunk : file.chunks()) {
      long chunkEnd = chunk.startNanos() + chunk.durationNanos();
      if (chunk.startNanos() > 0 && chunkEnd >= chunk.startNanos()) {
        start = Math.min(start, Math.max(chunk.startNanos(), input.from()));
        end = Math.max(end, Math.min(chunkEnd, input.to()));
      }
    }
    if (options.originalPayload()) {
      recordings.add(map(file));
    }
  }

  private static boolean factsComeFirst(List<JfrFile> files) throws IOException {
    for (JfrFile file : files) {
      for (JfrChunk chunk : file.chunks()) {
        try (ChunkReader reader = chunk.open()) {
          if (RecordingFacts.comeFirst(reader)) {
            return true;
          }
        } catch (IOException e) {
          throw UnreadableRecordingException.of(file.path(), chunk.offset(), e);
        }
      }
    }
    return false;
  }

  private void collectFacts(List<JfrFile> files, ExecutorService executor) throws IOException {
    for (int i = 0; i < files.size(); i++) {
      List<Work<RecordingFacts>> found = new ArrayList<>();
      for (JfrChunk chunk : files.get(i).chunks()) {
        found.add(new Work<>(files.get(i), chunk, executor.submit(() -> factsOf(chunk))));
      }
      for (Work<RecordingFacts> work : found) {
        facts.get(i).addAll(work.result());
      }
      weighted.addAll(facts.get(i).weighted());
    }
    sealSpans();
  }

  /**
   * Recordings of one JVM share their spans, for an interval may be in another file than its
   * samples; those of others may have threads of the same number.
   */
  private void sealSpans() {
    Map<String, RecordingFacts> byJvm = new HashMap<>();
    Set<SpanIntervals> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
    for (RecordingFacts recording : facts) {
      String jvm = recording.jvm().identity();
      RecordingFacts same = jvm.isEmpty() ? null : byJvm.putIfAbsent(jvm, recording);
      if (same != null) {
        recording.shareSpans(same);
      }
      distinct.add(recording.spans());
    }
    distinct.forEach(SpanIntervals::seal);
  }

  /** Mapped until nobody refers to it: it is read when the profiles are written. */
  private static MemorySegment map(JfrFile file) throws IOException {
    try (FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.READ)) {
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, file.size(), Arena.ofAuto());
    } catch (IOException e) {
      throw UnreadableRecordingException.of(file.path(), 0, e);
    }
  }

  private void convertChunks(
      List<JfrToOtlpConverter.Input> inputs,
      List<JfrFile> files,
      ExecutorService executor,
      boolean withFacts)
      throws IOException {
    Deque<Work<Converted>> running = new ArrayDeque<>();
    for (int i = 0; i < files.size(); i++) {
      int file = i;
      KnownStacks known = new KnownStacks();
      for (JfrChunk chunk : files.get(i).chunks()) {
        if (running.size() > WORKERS) {
          merge(running.removeFirst().result());
        }
        running.add(
            new Work<>(
                files.get(file),
                chunk,
                executor.submit(() -> convert(chunk, file, inputs.get(file), known, withFacts))));
      }
    }
    while (!running.isEmpty()) {
      merge(running.removeFirst().result());
    }
  }

  /** What became of a chunk, and of which file it is. */
  private record Converted(int file, ChunkConverter chunk, RecordingFacts facts) {}

  private Converted convert(
      JfrChunk chunk,
      int file,
      JfrToOtlpConverter.Input input,
      KnownStacks known,
      boolean withFacts)
      throws IOException {
    try (ChunkReader reader = chunk.open()) {
      ChunkConverter converter =
          new ChunkConverter(
              reader,
              stacks,
              known,
              options,
              facts.get(file).spans(),
              weighted,
              input.from(),
              input.to());
      RecordingFacts told = new RecordingFacts();
      converter.convert(withFacts ? told.subscribe(reader) : Map.of());
      progress.accept(chunk.length());
      return new Converted(file, converter, told);
    }
  }

  private static RecordingFacts factsOf(JfrChunk chunk) throws IOException {
    try (ChunkReader reader = chunk.open()) {
      return RecordingFacts.of(reader);
    }
  }

  /** A chunk that is being worked on. */
  private record Work<T>(JfrFile file, JfrChunk chunk, Future<T> future) {
    /**
     * Waits for it.
     *
     * @throws IOException that names the recording, whatever went wrong with it
     * @throws OutOfMemoryError of the worker, for which the recording is not to blame
     */
    T result() throws IOException {
      try {
        return future.get();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof OutOfMemoryError failure) {
          throw failure;
        }
        Throwable failure = e.getCause() == null ? e : e.getCause();
        throw UnreadableRecordingException.of(file.path(), chunk.offset(), failure);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("the conversion was interrupted", e);
      }
    }
  }

  private void merge(Converted converted) {
    facts.get(converted.file).addAll(converted.facts);
    ChunkConverter chunk = converted.chunk;
    failed += chunk.failed();
    untimely += chunk.untimely();
    unmeasured += chunk.unmeasured();
    stacks.use(
        common -> {
          DictionaryMerger merger = new DictionaryMerger(chunk.dictionary(), common);
          chunk.samples().forEach((type, found) -> merge(type, found, merger));
        });
  }

  private void merge(ProfileType type, TypeSamples found, DictionaryMerger merger) {
    TypeSamples all =
        samples.computeIfAbsent(
            type, key -> new TypeSamples(weighted.contains(key), options.aggregate()));
    all.addAll(found, merger.identities(found.identities, all.identities));
  }

  /** The profiles of what was found; one without samples if nothing was. */
  ProfileExport export() {
    Map<String, AttributeValue> resource = resource();
    List<Profile> profiles = new ArrayList<>();
    if (samples.isEmpty()) {
      samples.put(options.types().iterator().next(), new TypeSamples(false, options.aggregate()));
    }
    samples.forEach(
        (type, found) -> profiles.add(profile(type, found, resource, profiles.isEmpty())));
    return new ProfileExport(resource, SCOPE_NAME, version(), SCHEMA_URL, profiles, dictionary);
  }

  /** What the recordings agree on, under what the options say. */
  private Map<String, AttributeValue> resource() {
    Map<String, AttributeValue> resource = new LinkedHashMap<>();
    resource.put("service.name", AttributeValue.of("unknown_service:java"));
    Set<String> disputed = new TreeSet<>();
    Map<String, AttributeValue> told = new LinkedHashMap<>();
    for (RecordingFacts recording : facts) {
      recording
          .jvm()
          .attributes()
          .forEach(
              (key, value) -> {
                AttributeValue before = told.putIfAbsent(key, value);
                if (before != null && !before.equals(value)) {
                  disputed.add(key);
                }
              });
    }
    told.keySet().removeAll(disputed);
    disputed.removeAll(options.resource().keySet());
    if (!disputed.isEmpty()) {
      warnings.add(
          "the recordings disagree on "
              + String.join(", ", disputed)
              + (areOfOneJvm() ? "" : " since they are of different JVMs")
              + "; the resource has none of these, and equal stacks are one sample");
    }
    resource.putAll(told);
    resource.putAll(options.resource());
    return resource;
  }

  private boolean areOfOneJvm() {
    return facts.stream()
            .map(recording -> recording.jvm().identity())
            .filter(identity -> !identity.isEmpty())
            .distinct()
            .count()
        <= 1;
  }

  private Profile profile(
      ProfileType type, TypeSamples found, Map<String, AttributeValue> resource, boolean isFirst) {
    long last = found.isEmpty() ? end : Math.max(end, found.last() + 1);
    long first = Math.min(Math.min(start, last), found.first());
    SamplingPeriods.Period period = period(type, found);
    int typeAttribute =
        dictionary.attributes().internString(string("profile.type"), type.optionName(), 0);
    String identity =
        type.optionName() + resource + first + " " + found.last() + " " + found.identities.size();
    Profile.Builder builder =
        options.aggregate()
            ? Profile.aggregated(found.identities, found.sums())
            : Profile.of(found.identities, found.events);
    if (isFirst && !recordings.isEmpty()) {
      builder.originalPayload(new OriginalPayload("jfr", recordings));
    }
    return builder
        .sampleType(string(type.sampleType()), string(type.sampleUnit()))
        .period(string(period.type()), string(period.unit()), period.value())
        .time(first, last - first)
        .profileId(hash(identity, 0), hash(identity, last) | 1)
        .attributeSet(dictionary.attributeSets().intern(typeAttribute))
        .build();
  }

  private SamplingPeriods.Period period(ProfileType type, TypeSamples found) {
    if (found.period() != 0) {
      return new SamplingPeriods.Period(type.periodType(), type.periodUnit(), found.period());
    }
    List<SamplingPeriods.Period> told =
        facts.stream()
            .map(recording -> SamplingPeriods.of(type, recording))
            .filter(period -> period.value() > 0)
            .distinct()
            .toList();
    if (told.size() > 1) {
      warnings.add(
          "the recordings have different periods of "
              + type.optionName()
              + ", of which the first is given: "
              + told);
    }
    return told.isEmpty()
        ? new SamplingPeriods.Period(type.periodType(), type.periodUnit(), 0)
        : told.getFirst();
  }

  /** The same recording gives the same id, so that one which is sent twice can be told. */
  private static long hash(String text, long seed) {
    long hash = seed ^ 0xCBF29CE484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001B3L;
    }
    return hash ^ (hash >>> 29);
  }

  private int string(String text) {
    return dictionary.strings().intern(text);
  }

  private static String version() {
    return BuildVersion.of(Conversion.class).orElse("dev");
  }
}
