/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.sennit.context.memory.MappedRegion;
import dev.sennit.context.memory.ProcessMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the programs and libraries of a process that export functions of given names, and where in
 * their files these are, which is what the kernel must be told to stop there.
 */
public final class ExportedFunctions {
  private final MemoryCopy copy;
  private final List<String> names;
  private final Predicate<Path> wanted;
  private final List<Exporter> exporters = new ArrayList<>();

  /**
   * A file that exports some of the functions.
   *
   * @param file leads to it for as long as the process has it mapped, whatever became of its name
   * @param name its name as the process knows it
   * @param offsets where in the file each function begins
   */
  public record Exporter(Path file, String name, Map<String, Long> offsets) {}

  private ExportedFunctions(MemoryCopy copy, List<String> names, Predicate<Path> wanted) {
    this.copy = copy;
    this.names = names;
    this.wanted = wanted;
  }

  /**
   * Looks at the files of a process that {@code wanted} chooses by a path which leads to them.
   *
   * @param names of functions; a file that does not have the first is passed over
   */
  public static List<Exporter> find(int pid, List<String> names, Predicate<Path> wanted)
      throws IOException {
    try (ProcessMemory memory = ProcessMemory.of(pid);
        MemoryCopy copy = new MemoryCopy(memory)) {
      ExportedFunctions search = new ExportedFunctions(copy, names, wanted);
      RegionHeads.forEach(memory, search::mayBeImage, Integer.BYTES, search::consider);
      return search.exporters;
    }
  }

  private boolean mayBeImage(MappedRegion region) {
    return region.fileOffset() == 0
        && !region.isAnonymous()
        && region.isReadable()
        && region.isPrivate()
        && wanted.test(file(region));
  }

  private Path file(MappedRegion region) {
    return Path.of(
        "/proc/%d/map_files/%x-%x".formatted(copy.memory().pid(), region.start(), region.end()));
  }

  private boolean consider(MappedRegion region, MemorySegment head) {
    if (head.get(JAVA_INT, 0) != ElfImage.MAGIC) {
      return true;
    }
    @Nullable ElfImage image = ElfImage.at(copy, region.start());
    if (image == null) {
      return true;
    }
    Map<String, Long> offsets = new LinkedHashMap<>();
    for (String name : names) {
      long address = image.symbols().findFunction(name);
      long offset = address < 0 ? -1 : image.fileOffset(address);
      if (offset >= 0) {
        offsets.put(name, offset);
      } else if (offsets.isEmpty()) {
        return true;
      }
    }
    exporters.add(new Exporter(file(region), region.name(), offsets));
    return true;
  }
}
