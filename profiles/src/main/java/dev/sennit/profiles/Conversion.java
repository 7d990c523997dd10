/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.otlp.AttributeValue;
import dev.sennit.profiles.dictionary.ProfilesDictionary;
import dev.sennit.profiles.jfr.ChunkReader;
import dev.sennit.profiles.jfr.JfrChunk;
import dev.sennit.profiles.jfr.JfrFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;

/**
 * One run over some recordings: first what they say of themselves, then their samples, chunks side
 * by side, each merged in the order of the files as soon as it is done. So no more chunks are in
 * memory than are being worked on.
 */
final class Conversion {
  private static final String SCOPE_NAME = "dev.sennit.profiles";
  private static final String SCHEMA_URL = "https://opentelemetry.io/schemas/1.44.0";

  private final ConversionOptions options;
  private final LongConsumer progress;
  private final List<RecordingFacts> facts = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final List<MemorySegment> recordings = new ArrayList<>();
  private final ProfilesDictionary dictionary = new ProfilesDictionary();
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
    try {
      for (JfrToOtlpConverter.Input input : inputs) {
        JfrFile file = JfrFile.open(input.file());
        files.add(file);
        facts.add(collectFacts(file, input));
        if (options.originalPayload()) {
          recordings.add(map(file));
        }
      }
      sealSpans();
      convertChunks(inputs, files);
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

  private RecordingFacts collectFacts(JfrFile file, JfrToOtlpConverter.Input input)
      throws IOException {
    RecordingFacts found = new RecordingFacts();
    for (JfrChunk chunk : file.chunks()) {
      long chunkEnd = chunk.startNanos() + chunk.durationNanos();
      if (chunk.startNanos() > 0 && chunkEnd >= chunk.startNanos()) {
        start = Math.min(start, Math.max(chunk.startNanos(), input.from()));
        end = Math.max(end, Math.min(chunkEnd, input.to()));
      }
      try (ChunkReader reader = chunk.open()) {
        found.add(reader);
      }
    }
    weighted.addAll(found.weighted());
    return found;
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
    }
  }

  private void convertChunks(List<JfrToOtlpConverter.Input> inputs, List<JfrFile> files)
      throws IOException {
    int workers = Runtime.getRuntime().availableProcessors();
    Deque<Future<ChunkConverter>> running = new ArrayDeque<>();
    try (ExecutorService executor =
        Executors.newFixedThreadPool(
            workers, Thread.ofPlatform().daemon().name("sennit convert ", 1).factory())) {
      try {
        for (int i = 0; i < files.size(); i++) {
          JfrToOtlpConverter.Input input = inputs.get(i);
          RecordingFacts recording = facts.get(i);
          for (JfrChunk chunk : files.get(i).chunks()) {
            if (running.size() > workers) {
              merge(running.removeFirst());
            }
            running.add(executor.submit(() -> convert(chunk, recording, input)));
          }
        }
        while (!running.isEmpty()) {
          merge(running.removeFirst());
        }
      } finally {
        executor.shutdownNow();
      }
    }
  }

  private ChunkConverter convert(
      JfrChunk chunk, RecordingFacts recording, JfrToOtlpConverter.Input input) throws IOException {
    try (ChunkReader reader = chunk.open()) {
      ChunkConverter converter =
          new ChunkConverter(reader, options, recording, weighted, input.from(), input.to());
      converter.convert();
      progress.accept(chunk.length());
      return converter;
    }
  }

  private void merge(Future<ChunkConverter> future) throws IOException {
    ChunkConverter chunk;
    try {
      chunk = future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IllegalStateException("converting a chunk failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the conversion was interrupted", e);
    }
    failed += chunk.failed();
    untimely += chunk.untimely();
    unmeasured += chunk.unmeasured();
    DictionaryMerger merger = new DictionaryMerger(chunk.dictionary(), dictionary);
    chunk
        .samples()
        .forEach(
            (type, found) -> {
              TypeSamples all =
                  samples.computeIfAbsent(
                      type, key -> new TypeSamples(weighted.contains(key), options.aggregate()));
              all.addAll(found, merger.identities(found.identities, all.identities));
            });
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
    Set<String> disputed = new HashSet<>();
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
    resource.putAll(told);
    resource.putAll(options.resource());
    return resource;
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
    String version = Conversion.class.getPackage().getImplementationVersion();
    return version != null ? version : "dev";
  }
}
