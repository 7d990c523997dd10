/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import dev.sennit.context.memory.Proc;
import dev.sennit.context.memory.ProcessMemory;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.thread.OtepRecordDescriptor;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of OTEP 4947 that the threads of another process point at with {@code
 * otel_thread_ctx_v1}. A record may only be read while its thread is stopped (OTEP 4947, section
 * "Reader"), so each thread is, for the time of a few system calls.
 */
final class OtepReader implements ThreadSource {
  private final int pid;
  private final MemoryCopy copy;
  private final ThreadDirectory directory;
  private ProcessContext context;
  private List<String> keys;
  private @Nullable Set<TlsLocation> locations;

  OtepReader(ProcessMemory memory, ProcessContext context) {
    this.pid = memory.pid();
    this.copy = new MemoryCopy(memory);
    this.directory = ThreadDirectory.byOuterTid(pid);
    this.context = context;
    this.keys = OtepRecord.keys(context);
  }

  @Override
  public ThreadReading read() {
    int[] tids;
    try {
      tids = Proc.threads(pid);
    } catch (IOException e) {
      return Refusal.of(pid, e);
    }
    directory.retain(tids, tids.length);
    return readThreads(tids);
  }

  @Override
  public ThreadReading read(int[] wanted) {
    try {
      // Whoever is named, only threads of this process are stopped.
      Arrays.sort(wanted);
      return readThreads(
          Arrays.stream(Proc.threads(pid))
              .filter(tid -> Arrays.binarySearch(wanted, tid) >= 0)
              .toArray());
    } catch (IOException e) {
      return Refusal.of(pid, e);
    }
  }

  private ThreadReading readThreads(int[] tids) {
    if (pid == ProcessHandle.current().pid()) {
      return new ThreadReading.Unavailable(
          "process " + pid + " is the reader itself, and a process cannot stop its own threads");
    }
    @Nullable Set<TlsLocation> known = locations;
    if (known == null) {
      switch (TlsLocator.locate(copy, OtepRecordDescriptor.SYMBOL)) {
        case TlsLocator.Result.Failed(ThreadReading failed) -> {
          return failed;
        }
        case TlsLocator.Result.Found(Set<TlsLocation> found) -> known = found;
      }
      locations = known;
    }
    return new OtepPass(pid, tids, copy, known, keys, directory).run();
  }

  @Override
  public void update(ProcessContext newContext) {
    if (!Objects.equals(schemaVersion(context), schemaVersion(newContext))) {
      locations = null;
    }
    context = newContext;
    keys = OtepRecord.keys(newContext);
  }

  private static @Nullable Object schemaVersion(ProcessContext context) {
    return context.attributes().get(OtepRecordDescriptor.SCHEMA_VERSION_KEY);
  }

  @Override
  public boolean stopsThreads() {
    return true;
  }

  @Override
  public void close() {
    copy.close();
  }
}
