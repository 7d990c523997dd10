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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
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
  private final RecordingFacts facts = new RecordingFacts();
  private final ProfilesDictionary dictionary = new ProfilesDictionary();
  private final Map<ProfileType, TypeSamples> samples = new EnumMap<>(ProfileType.class);
  private final Set<ProfileType> weighted = EnumSet.noneOf(ProfileType.class);
  private long start = Long.MAX_VALUE;
  private long end = Long.MIN_VALUE;

  Conversion(ConversionOptions options, LongConsumer progress) {
    this.options = options;
    this.progress = progress;
    for (ProfileType type : ProfileType.values()) {
      if (type.isWeighted()) {
        weighted.add(type);
      }
    }
  }

  RecordingFacts facts() {
    return facts;
  }

  void run(List<JfrToOtlpConverter.Input> inputs) throws IOException {
    List<JfrFile> files = new ArrayList<>();
    try {
      for (JfrToOtlpConverter.Input input : inputs) {
        JfrFile file = JfrFile.open(input.file());
        files.add(file);
        for (JfrChunk chunk : file.chunks()) {
          collectFacts(chunk, input);
        }
      }
      facts.seal();
      convertChunks(inputs, files);
    } finally {
      for (JfrFile file : files) {
        file.close();
      }
    }
  }

  private void collectFacts(JfrChunk chunk, JfrToOtlpConverter.Input input) throws IOException {
    start = Math.min(start, Math.max(chunk.startNanos(), input.from()));
    end = Math.max(end, Math.min(chunk.startNanos() + chunk.durationNanos(), input.to()));
    try (ChunkReader reader = chunk.open()) {
      if (reader.types().has("profiler.WallClockSample")) {
        weighted.add(ProfileType.WALL);
      }
      facts.add(reader);
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
          for (JfrChunk chunk : files.get(i).chunks()) {
            if (running.size() > workers) {
              merge(running.removeFirst());
            }
            running.add(executor.submit(() -> convert(chunk, input)));
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

  private ChunkConverter convert(JfrChunk chunk, JfrToOtlpConverter.Input input)
      throws IOException {
    try (ChunkReader reader = chunk.open()) {
      ChunkConverter converter =
          new ChunkConverter(reader, options, facts, weighted, input.from(), input.to());
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
  ProfileExport export(Map<String, AttributeValue> resource) {
    List<Profile> profiles = new ArrayList<>();
    samples.forEach((type, found) -> profiles.add(profile(type, found)));
    if (profiles.isEmpty()) {
      ProfileType first = options.types().iterator().next();
      profiles.add(profile(first, new TypeSamples(false, false)));
    }
    return new ProfileExport(resource, SCOPE_NAME, version(), SCHEMA_URL, profiles, dictionary);
  }

  private Profile profile(ProfileType type, TypeSamples found) {
    long first = found.isEmpty() ? start : Math.min(start, found.first());
    long last = found.isEmpty() ? end : Math.max(end, found.last() + 1);
    long period = found.period() != 0 ? found.period() : SamplingPeriods.of(type, facts);
    int typeAttribute =
        dictionary.attributes().internString(string("profile.type"), type.optionName(), 0);
    Profile.Builder builder =
        options.aggregate()
            ? Profile.aggregated(found.identities, found.sums())
            : Profile.of(found.identities, found.events);
    return builder
        .sampleType(string(type.sampleType()), string(type.sampleUnit()))
        .period(string(type.periodType()), string(type.periodUnit()), period)
        .time(first, Math.max(0, last - first))
        .profileId(id(type, first), id(type, last))
        .attributeSet(dictionary.attributeSets().intern(typeAttribute))
        .build();
  }

  /** The same recording gives the same id, so that one which is sent twice can be told. */
  private static long id(ProfileType type, long time) {
    long mixed = (time ^ type.optionName().hashCode()) * 0x9E3779B97F4A7C15L;
    return (mixed ^ (mixed >>> 29)) | 1;
  }

  private int string(String text) {
    return dictionary.strings().intern(text);
  }

  private static String version() {
    String version = Conversion.class.getPackage().getImplementationVersion();
    return version != null ? version : "dev";
  }
}
