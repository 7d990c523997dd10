/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.process;

import dev.sennit.context.ContextLog;
import dev.sennit.context.memory.Errno;
import dev.sennit.context.memory.Libc;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Publishes who this process is, so that any reader on the host can ask its memory.
 *
 * <pre>{@code
 * ProcessContext me = ResourceDetector.detect();
 * ProcessContextPublisher.publish(me);
 * ProcessContextPublisher.drop(); // or never: the record ends with the process
 * }</pre>
 *
 * <p>A process has one record (OTEP 4719: there MUST NOT be more). If there is one, whoever made
 * it, a library in C or a copy of this class in another class loader, it is updated in its place.
 * Where Sennit's agent is, its copy does it for all the others.
 */
public final class ProcessContextPublisher {
  /** Bytes that a context may take, once encoded; what others contribute to it counts, too. */
  public static final int MAX_PAYLOAD = PayloadAreas.CAPACITY;

  /**
   * Copies of this class in several class loaders have nothing in common but the JVM's table of
   * interned strings; so that is where the lock for their one record is.
   */
  private static final Object LOCK = "dev.sennit.context.process.ProcessContextPublisher".intern();

  /** Attributes that several parts of Sennit add to a record which may be another copy's. */
  private static final List<String> SHARED_PREFIXES = List.of("threadlocal.", "sennit.thread_");

  private static final Map<String, AttributeValue> CONTRIBUTED = new LinkedHashMap<>();

  private static final ProcessContext NOTHING = ProcessContext.builder().build();

  /** What {@link #publish} was last given here. */
  private static ProcessContext published = NOTHING;

  /** Address of the mapping that this copy made; 0 without one. */
  private static long made;

  /** Address of the mapping that this copy wrote last, which may be another's; 0 without one. */
  private static long written;

  /** Payload areas for a mapping that another made. */
  private static @Nullable PayloadAreas ownAreas;

  private static long lastTimestamp;

  private ProcessContextPublisher() {}

  /**
   * Publishes {@code context}, or updates what this process has published before.
   *
   * @throws ProcessContextException if that is not possible; a record that was there is as it was
   */
  public static void publish(ProcessContext context) {
    if (!isLinux()) {
      throw new ProcessContextException(
          "a process context can be published only on Linux; this is "
              + System.getProperty("os.name"));
    }
    // Asked outside of the lock: whoever starts contexts holds theirs, and comes here then.
    @Nullable AgentPublisher agent = AgentPublisher.find();
    if (agent != null) {
      agent.publish(context);
      return;
    }
    synchronized (LOCK) {
      @Nullable ProcessRecord record = findOrFail();
      Map<String, AttributeValue> attributes = sharedAttributes(record);
      attributes.keySet().removeAll(published.attributes().keySet());
      attributes.putAll(context.attributes());
      attributes.putAll(CONTRIBUTED);
      write(record, encode(new ProcessContext(context.resource(), attributes)));
      published = context;
    }
  }

  /**
   * Takes the record of this process back, whoever published it.
   *
   * @return whether there was one
   * @throws ProcessContextException if another library has write-protected it
   */
  public static boolean drop() {
    @Nullable AgentPublisher agent = AgentPublisher.find();
    if (agent != null) {
      return agent.drop();
    }
    synchronized (LOCK) {
      @Nullable ProcessRecord record = find();
      if (record == null) {
        return false;
      }
      boolean wasPublished = record.isPublished();
      if (isMadeHere(record)) {
        record.unmap();
        made = 0;
      } else if (wasPublished) {
        requireWritable(record);
        record.erase();
        written = record.address();
      }
      published = NOTHING;
      return wasPublished;
    }
  }

  /** Whether this process has a record, whoever published it. */
  public static boolean isPublished() {
    @Nullable AgentPublisher agent = AgentPublisher.find();
    if (agent != null) {
      return agent.isPublished();
    }
    synchronized (LOCK) {
      return findPublished() != null;
    }
  }

  /**
   * Adds attributes to the record, now if there is one, and to whatever is published later. They
   * win over attributes of the same key in a published context.
   *
   * @throws ProcessContextException if the record cannot take them; nothing is changed then
   */
  public static void contribute(Map<String, AttributeValue> attributes) {
    @Nullable AgentPublisher agent = AgentPublisher.find();
    if (agent != null) {
      agent.contribute(attributes);
      return;
    }
    synchronized (LOCK) {
      amend(attributes, Set.of());
      CONTRIBUTED.putAll(attributes);
    }
  }

  /**
   * Takes back what {@link #contribute} added. A published attribute that it hid shows again.
   *
   * @throws ProcessContextException if the record cannot be changed; nothing is changed then
   */
  public static void withdraw(Collection<String> keys) {
    @Nullable AgentPublisher agent = AgentPublisher.find();
    if (agent != null) {
      agent.withdraw(keys);
    }
    synchronized (LOCK) {
      if (agent == null) {
        amend(Map.of(), keys);
      }
      CONTRIBUTED.keySet().removeAll(keys);
    }
  }

  private static void amend(Map<String, AttributeValue> put, Collection<String> remove) {
    @Nullable ProcessRecord record = findPublished();
    if (record == null) {
      return;
    }
    Map<String, AttributeValue> all = new LinkedHashMap<>(published.attributes());
    all.keySet().retainAll(isWrittenHere(record) ? remove : Set.of());
    all.putAll(put);
    try {
      write(record, ProcessContextCodec.amend(record.payload(), all, remove));
    } catch (MalformedContextException | IllegalArgumentException e) {
      throw new ProcessContextException(
          "cannot change attributes of the record of this process: " + e.getMessage(), e);
    }
  }

  /** The attributes in the record that {@link #publish} must not lose. */
  private static Map<String, AttributeValue> sharedAttributes(@Nullable ProcessRecord record) {
    Map<String, AttributeValue> shared = new LinkedHashMap<>();
    if (record == null || !record.isPublished()) {
      return shared;
    }
    try {
      shared.putAll(ProcessContextCodec.decode(record.payload()).attributes());
    } catch (MalformedContextException e) {
      ContextLog.warn("replacing a process context that was malformed: " + e.getMessage());
    }
    shared.keySet().removeIf(key -> !isShared(key));
    return shared;
  }

  private static boolean isShared(String key) {
    return SHARED_PREFIXES.stream().anyMatch(key::startsWith);
  }

  static byte[] encode(ProcessContext context) {
    try {
      return ProcessContextCodec.encode(context);
    } catch (IllegalArgumentException e) {
      throw new ProcessContextException("the context cannot be encoded: " + e.getMessage(), e);
    }
  }

  private static void write(@Nullable ProcessRecord record, byte[] payload) {
    if (payload.length > PayloadAreas.CAPACITY) {
      throw new ProcessContextException(
          "the context takes "
              + payload.length
              + " bytes, and readers take no more than "
              + PayloadAreas.CAPACITY);
    }
    long timestamp = nextTimestamp(record);
    if (record == null) {
      made = ProcessRecord.create(payload, timestamp).address();
      written = made;
    } else {
      requireWritable(record);
      long address = areasFor(record).put(payload, record.payloadAddress());
      record.write(address, payload.length, timestamp);
      record.name();
      written = record.address();
    }
    lastTimestamp = timestamp;
  }

  private static PayloadAreas areasFor(ProcessRecord record) {
    if (isMadeHere(record)) {
      return record.areas();
    }
    PayloadAreas areas = ownAreas;
    if (areas == null) {
      areas = PayloadAreas.allocate();
      ownAreas = areas;
    }
    return areas;
  }

  private static void requireWritable(ProcessRecord record) {
    if (!record.isWritable()) {
      throw new ProcessContextException(
          "the record of this process at 0x%x is write-protected by whoever published it"
              .formatted(record.address()));
    }
  }

  /** Later than every one before, also if the clock stood still or another clock was used. */
  private static long nextTimestamp(@Nullable ProcessRecord record) {
    long now = Libc.clockNanos(Libc.CLOCK_BOOTTIME);
    if (now < 0) {
      throw new ProcessContextException(
          "clock_gettime(CLOCK_BOOTTIME): " + Errno.describe((int) -now));
    }
    long last = later(lastTimestamp, record == null ? 0 : record.publishedAt());
    // Nothing is later than the last number there is; different must do then.
    return last == -1 ? now : later(now, last + 1);
  }

  private static long later(long one, long other) {
    return Long.compareUnsigned(one, other) > 0 ? one : other;
  }

  private static boolean isMadeHere(ProcessRecord record) {
    return record.address() == made && record.hasAreas();
  }

  /** Whether this copy was the last to write the record. */
  private static boolean isWrittenHere(ProcessRecord record) {
    return areasFor(record).contains(record.payloadAddress());
  }

  private static @Nullable ProcessRecord findPublished() {
    @Nullable ProcessRecord record = find();
    return record != null && record.isPublished() ? record : null;
  }

  /** Without {@code /proc} nothing was published here, for {@link #publish} insists on it. */
  private static @Nullable ProcessRecord find() {
    try {
      return isLinux() ? ProcessRecord.find(List.of(made, written)) : null;
    } catch (IOException e) {
      return null;
    }
  }

  private static @Nullable ProcessRecord findOrFail() {
    try {
      return ProcessRecord.find(List.of(made, written));
    } catch (IOException e) {
      throw new ProcessContextException(
          "cannot tell whether this process has a record already: " + e, e);
    }
  }

  private static boolean isLinux() {
    return System.getProperty("os.name", "").equals("Linux");
  }
}
