/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import dev.sennit.context.process.AttributeValue;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The records of another copy of these classes, in another class loader: every method calls the one
 * of the same name there. What that copy refuses it refuses here, in words of the JDK.
 */
final class SharedStorage extends ThreadStorage {
  /** What a copy offers to the others; the names and types are the agreement between them. */
  record Function(String key, MethodType type) {
    static final Function INITIALIZE = of("initialize", boolean.class, String.class);
    static final Function IS_INITIALIZED = of("isInitialized", boolean.class);
    static final Function MODE = of("mode", String.class);
    static final Function SET =
        of("set", void.class, long.class, long.class, long.class, long.class, int.class);
    static final Function GET = of("get", boolean.class, int.class, long[].class);
    static final Function SPAN_ID = of("spanId", long.class);
    static final Function ROOT_SPAN_ID = of("rootSpanId", long.class);
    static final Function ANNOUNCE = of("announce", int.class, String.class);
    static final Function FIND = of("find", int.class, String.class);
    static final Function SET_ATTRIBUTE =
        of("setAttribute", String.class, String.class, int.class, String.class);
    static final Function GET_ATTRIBUTE = of("getAttribute", String.class, String.class, int.class);

    /** Later than the others: a copy may be without. */
    static final Function ATTRIBUTE_NAMES = of("attributeNames", String[].class);

    static final List<Function> ALL =
        List.of(
            INITIALIZE,
            IS_INITIALIZED,
            MODE,
            SET,
            GET,
            SPAN_ID,
            ROOT_SPAN_ID,
            ANNOUNCE,
            FIND,
            SET_ATTRIBUTE,
            GET_ATTRIBUTE,
            ATTRIBUTE_NAMES);

    private static Function of(String key, Class<?> result, Class<?>... parameters) {
      return new Function(key, MethodType.methodType(result, parameters));
    }

    MethodHandle in(Map<String, MethodHandle> functions) {
      return find(functions)
          .orElseThrow(
              () -> new IllegalArgumentException("the copy to follow has no function " + key));
    }

    Optional<MethodHandle> find(Map<String, MethodHandle> functions) {
      return Optional.ofNullable(functions.get(key)).map(function -> function.asType(type));
    }
  }

  /**
   * The function that every change of a context calls, of the one copy that is followed: the
   * compiler takes what a call site leads to for a constant, and a field of an object for none.
   */
  private static final MutableCallSite SET = new MutableCallSite(Function.SET.type());

  private static final MethodHandle CALL_SET = SET.dynamicInvoker();

  private final MethodHandle initialize;
  private final MethodHandle isInitialized;
  private final MethodHandle mode;
  private final MethodHandle get;
  private final MethodHandle spanId;
  private final MethodHandle rootSpanId;
  private final MethodHandle setAttribute;
  private final MethodHandle getAttribute;
  private final Optional<MethodHandle> attributeNames;
  private final AttributeKeys keys;

  SharedStorage(Map<String, MethodHandle> functions) {
    initialize = Function.INITIALIZE.in(functions);
    isInitialized = Function.IS_INITIALIZED.in(functions);
    mode = Function.MODE.in(functions);
    SET.setTarget(Function.SET.in(functions));
    MutableCallSite.syncAll(new MutableCallSite[] {SET});
    get = Function.GET.in(functions);
    spanId = Function.SPAN_ID.in(functions);
    rootSpanId = Function.ROOT_SPAN_ID.in(functions);
    setAttribute = Function.SET_ATTRIBUTE.in(functions);
    getAttribute = Function.GET_ATTRIBUTE.in(functions);
    attributeNames = Function.ATTRIBUTE_NAMES.find(functions);
    keys = new SharedKeys(Function.ANNOUNCE.in(functions), Function.FIND.in(functions));
  }

  /** The keys as the other copy has announced them. */
  private static final class SharedKeys extends AttributeKeys {
    private final MethodHandle announce;
    private final MethodHandle find;

    SharedKeys(MethodHandle announce, MethodHandle find) {
      super(0);
      this.announce = announce;
      this.find = find;
    }

    @Override
    synchronized AttributeKey announce(String name) {
      try {
        return new AttributeKey(name, (int) announce.invokeExact(name));
      } catch (Throwable e) {
        throw unchecked(e);
      }
    }

    @Override
    @Nullable AttributeKey find(String name) {
      try {
        int index = (int) find.invokeExact(name);
        return index < 0 ? null : new AttributeKey(name, index);
      } catch (Throwable e) {
        throw unchecked(e);
      }
    }

    /** The other copy sees to it when the key is used. */
    @Override
    AttributeKey find(AttributeKey key) {
      return key;
    }
  }

  AttributeKeys keys() {
    return keys;
  }

  /** The keys that the other copy has announced, in their order; none if it cannot tell. */
  List<String> attributeNames() {
    try {
      return attributeNames.isEmpty()
          ? List.of()
          : List.of((String[]) attributeNames.get().invokeExact());
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /** Starts the other copy, or finds it started with the same mode. */
  boolean initialize(ContextOptions options) {
    try {
      return (boolean) initialize.invokeExact(options.text());
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  @Override
  boolean isOpen() {
    try {
      return (boolean) isInitialized.invokeExact();
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  @Override
  ContextStorageMode mode() {
    try {
      return ContextStorageMode.parse((String) mode.invokeExact());
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  @Override
  void set(long traceIdHigh, long traceIdLow, long spanId, long rootSpanId, int flags) {
    try {
      CALL_SET.invokeExact(traceIdHigh, traceIdLow, spanId, rootSpanId, flags);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  @Override
  void clear() {
    set(0, 0, 0, 0, 0);
  }

  @Override
  boolean get(ContextSnapshot into) {
    return getByTid(0, into);
  }

  @Override
  boolean getByTid(int tid, ContextSnapshot into) {
    long[] values = new long[5];
    try {
      boolean found = (boolean) get.invokeExact(tid, values);
      into.fill(values[0], values[1], values[2], values[3], (int) values[4]);
      return found;
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  @Override
  long spanId() {
    try {
      return (long) spanId.invokeExact();
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  @Override
  long rootSpanId() {
    try {
      return (long) rootSpanId.invokeExact();
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  @Override
  AttributeOutcome setAttribute(AttributeKey key, String value) {
    try {
      return AttributeOutcome.valueOf(
          (String) setAttribute.invokeExact(key.name(), key.index(), value));
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  @Override
  @Nullable String getAttribute(AttributeKey key) {
    try {
      return (String) getAttribute.invokeExact(key.name(), key.index());
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  @Override
  int maxAttributeKeys() {
    return 0;
  }

  /** The other copy has announced what there is. */
  @Override
  Map<String, AttributeValue> announcement(AttributeKeys announced) {
    return Map.of();
  }

  /** What another copy started is not ended here. */
  @Override
  void close() {}

  private static RuntimeException unchecked(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return e instanceof RuntimeException known ? known : new IllegalStateException(e);
  }
}
