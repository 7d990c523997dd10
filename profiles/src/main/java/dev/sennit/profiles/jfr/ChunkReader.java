/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel.MapMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a chunk, mapped until this is closed. It belongs to the thread that opened it;
 * several threads read several chunks.
 *
 * <p>Usage: subscribe to the events wanted, then pass over them with {@link #forEachEvent}.
 * Constants can be looked up at any time; their pools are found when the first is asked for.
 */
public final class ChunkReader implements AutoCloseable {
  static final long METADATA_TYPE = 0;
  static final long CHECKPOINT_TYPE = 1;

  /** A constant that has no text of its own is called as what it refers to: class, symbol, text. */
  private static final int MOST_REFERENCES = 4;

  private final JfrChunk chunk;
  private final Arena arena;
  private final ChunkCursor cursor;
  private final EventWalk walk;
  private final JfrTypes types;
  private final Subscriptions subscriptions = new Subscriptions();
  private final Map<Long, Pool> textPools = new HashMap<>();

  private long nextEvent = ChunkHeader.SIZE;
  private @Nullable Map<Long, PoolIndex> pools;
  private @Nullable StackTraces stackTraces;
  private @Nullable Methods methods;
  private @Nullable Classes classes;
  private @Nullable Threads threads;

  private ChunkReader(JfrChunk chunk, Arena arena) throws IOException {
    this.chunk = chunk;
    this.arena = arena;
    MemorySegment bytes =
        chunk.file().channel().map(MapMode.READ_ONLY, chunk.offset(), chunk.length(), arena);
    cursor =
        new ChunkCursor(bytes, chunk.compressedIntegers(), chunk.file().path(), chunk.offset());
    walk = new EventWalk(chunk, cursor);
    types = readTypes();
  }

  static ChunkReader open(JfrChunk chunk) throws IOException {
    Arena arena = Arena.ofConfined();
    try {
      return new ChunkReader(chunk, arena);
    } catch (IOException | RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  private JfrTypes readTypes() throws JfrFormatException {
    long position = chunk.header().metadataOffset();
    if (chunk.partial() && !walk.isComplete(position, METADATA_TYPE)) {
      position = walk.last(METADATA_TYPE);
      if (position == 0) {
        chunk
            .file()
            .warn(chunk.offset(), "the chunk has no metadata yet; nothing of it can be read");
        return new JfrTypes();
      }
    }
    return MetadataParser.parse(cursor, position, chunk.file().metadata());
  }

  public JfrChunk chunk() {
    return chunk;
  }

  public EventTypes types() {
    return new EventTypes(types);
  }

  JfrTypes jfrTypes() {
    return types;
  }

  ChunkCursor cursor() {
    return cursor;
  }

  /**
   * Asks for events; asking again for the same replaces what was asked before.
   *
   * @param fields what to read of each, by name; a field of a structure within the event by a
   *     dotted name
   * @return null if the chunk has no such type of events
   */
  public @Nullable EventLayout subscribe(String eventName, String... fields)
      throws JfrFormatException {
    List<JfrType> matching = types.byName(eventName).stream().filter(JfrType::isEvent).toList();
    if (matching.isEmpty()) {
      return null;
    }
    List<String> names = List.of(fields);
    EventLayout layout = new EventLayout(this, eventName, names, matching.size() > 1);
    for (JfrType type : matching) {
      FieldProgram program = FieldProgram.reading(types, type, cursor, names);
      subscriptions.put(
          type.id(), new Subscriptions.Subscription(program, layout.describe(type), layout));
    }
    return layout;
  }

  /** Passes over all events once, in the order of the file; may be called again. */
  public void forEachEvent(EventVisitor visitor) throws IOException {
    walk.forEach(subscriptions, visitor);
  }

  /**
   * Passes over the next events, from where the last call of this ended, until {@code most} of
   * those asked for were visited. Whoever has much to do with an event collects some and does it
   * between two calls: then reading them stays a short loop.
   *
   * @return whether there are more
   */
  public boolean forNextEvents(int most, EventVisitor visitor) throws IOException {
    nextEvent = walk.forEach(nextEvent, most, subscriptions, visitor);
    return nextEvent < cursor.end();
  }

  /** The constants of a type; empty if the chunk has no such type. */
  public Pool pool(String typeName, String... fields) throws JfrFormatException {
    List<JfrType> matching = types.byName(typeName);
    return new Pool(this, matching.isEmpty() ? null : matching.getFirst(), List.of(fields));
  }

  public StackTraces stackTraces() throws JfrFormatException {
    if (stackTraces == null) {
      stackTraces = new StackTraces(this);
    }
    return stackTraces;
  }

  public Methods methods() throws JfrFormatException {
    if (methods == null) {
      methods = new Methods(this);
    }
    return methods;
  }

  public Classes classes() throws JfrFormatException {
    if (classes == null) {
      classes = new Classes(this);
    }
    return classes;
  }

  public Threads threads() throws JfrFormatException {
    if (threads == null) {
      threads = new Threads(this);
    }
    return threads;
  }

  /** The text of a symbol: the name of a class, a method or a package, or a descriptor. */
  public @Nullable String symbol(long id) throws JfrFormatException {
    return constantText("jdk.types.Symbol", id);
  }

  /** The text of a frame type, such as {@code JIT compiled}. */
  public @Nullable String frameType(long id) throws JfrFormatException {
    return constantText("jdk.types.FrameType", id);
  }

  /** The text of a thread state, such as {@code STATE_RUNNABLE}. */
  public @Nullable String threadState(long id) throws JfrFormatException {
    return constantText("jdk.types.ThreadState", id);
  }

  /** The text of a constant of any type that has one; null without such a constant. */
  public @Nullable String constantText(String typeName, long id) throws JfrFormatException {
    List<JfrType> matching = types.byName(typeName);
    return matching.isEmpty() ? null : constantText(matching.getFirst().id(), id);
  }

  @Nullable String constantText(long typeId, long id) throws JfrFormatException {
    return constantText(typeId, id, 0);
  }

  private @Nullable String constantText(long typeId, long id, int references)
      throws JfrFormatException {
    @Nullable JfrType type = types.byId(typeId);
    if (type == null || references > MOST_REFERENCES) {
      return null;
    }
    if (type.kind() == FieldKind.TEXT) {
      long position = poolIndex(typeId).position(id);
      return position == PoolIndex.ABSENT ? null : textAt(position, references);
    }
    JfrType.@Nullable Field field = textField(type);
    if (field == null) {
      return null;
    }
    @Nullable Pool pool = textPools.get(typeId);
    if (pool == null) {
      pool = new Pool(this, type, List.of(field.name()));
      textPools.put(typeId, pool);
    }
    if (!pool.find(id)) {
      return null;
    }
    return field.constantPool()
        ? constantText(field.typeId(), pool.longValue(0), references + 1)
        : textAt(pool.longValue(0), references);
  }

  /** The first text that a type has, else the constant that is its name. */
  private JfrType.@Nullable Field textField(JfrType type) {
    for (JfrType.Field field : type.fields()) {
      @Nullable JfrType fieldType = types.byId(field.typeId());
      if (fieldType != null && fieldType.kind() == FieldKind.TEXT && !field.array()) {
        return field;
      }
    }
    JfrType.@Nullable Field name = type.field("name");
    return name == null || !name.constantPool() || name.array() ? null : name;
  }

  @Nullable String textAt(long position) throws JfrFormatException {
    return textAt(position, 0);
  }

  private @Nullable String textAt(long position, int references) throws JfrFormatException {
    long here = cursor.position();
    cursor.seek(position);
    @Nullable String text = cursor.readString(id -> pooledText(id, references + 1));
    cursor.seek(here);
    return text;
  }

  private @Nullable String pooledText(long id, int references) throws JfrFormatException {
    List<JfrType> matching = types.byName(JfrType.STRING);
    return matching.isEmpty() ? null : constantText(matching.getFirst().id(), id, references);
  }

  PoolIndex poolIndex(long typeId) throws JfrFormatException {
    if (pools == null) {
      pools = scanPools();
    }
    @Nullable PoolIndex index = pools.get(typeId);
    return index == null ? new PoolIndex() : index;
  }

  private Map<Long, PoolIndex> scanPools() throws JfrFormatException {
    PoolScanner scanner = new PoolScanner(cursor, types, chunk.file().spareIndexes());
    long here = cursor.position();
    long last = chunk.header().checkpointOffset();
    if (chunk.partial() && !walk.isComplete(last, CHECKPOINT_TYPE)) {
      for (long position : walk.all(CHECKPOINT_TYPE).reversed()) {
        scanner.scan(position, cursor.end());
      }
    } else if (last != 0) {
      scanner.scanChain(last);
    }
    cursor.seek(here);
    return scanner.pools();
  }

  /** Gives the memory back; must be called by the thread that opened this. */
  @Override
  public void close() {
    arena.close();
    if (pools != null) {
      pools.values().forEach(chunk.file().spareIndexes()::give);
      pools = null;
    }
  }
}
