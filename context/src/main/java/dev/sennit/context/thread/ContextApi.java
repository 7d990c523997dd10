/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import dev.sennit.context.ContextLog;
import dev.sennit.context.shared.Rendezvous;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The thread contexts of this process, whatever storage was chosen for them: where an SDK, a
 * profiler or an application says what the current thread is doing.
 *
 * <p>Starting and stopping may throw, for they are configuration. Everything else never throws,
 * never blocks and allocates nothing in the steady state; before {@link #initialize} and after
 * {@link #shutdown} it does nothing. On a virtual thread a write lands in the record of the carrier
 * that it is mounted on at that moment.
 */
public final class ContextApi {
  /** Of W3C's trace flags. */
  private static final int SAMPLED = 1;

  /** One for all copies of this class, since what one does others follow. */
  private static final Object LIFECYCLE = Rendezvous.LOCK;

  /** What {@link #initialize} made; null when there is nothing. */
  private static volatile @Nullable Running running;

  private static volatile boolean following;

  /** Null when nobody profiles. */
  private static volatile @Nullable ContextObserver observer;

  /** Asked on a virtual thread whether its carrier's record may be written; null for always. */
  private static volatile @Nullable BooleanSupplier carrierGate;

  private static final ThreadLocal<VirtualThreadContext> VIRTUAL_THREAD_CONTEXTS =
      ThreadLocal.withInitial(VirtualThreadContext::new);

  static {
    synchronized (LIFECYCLE) {
      Map<String, MethodHandle> elsewhere = SharedContexts.enter();
      if (elsewhere != null) {
        follow(elsewhere);
      }
    }
  }

  private ContextApi() {}

  /** The state between a start and a stop. */
  private record Running(ThreadStorage storage, AttributeKeys keys, ContextOptions options) {}

  /**
   * Starts with what profiler options such as {@code start,cpu=1ms,ctxstorage=otel} say of
   * contexts.
   */
  public static boolean initialize(String options) {
    return initialize(ContextOptions.parse(options));
  }

  /**
   * Chooses the storage, until {@link #shutdown}. Where the kernel gives no memory for the ring,
   * mode {@code profiler} takes its place and a line in the log says so.
   *
   * <p>While it runs, mode {@code profiler} gives way to another, for no reader outside relies on
   * it: keys stay announced, and a context that is open then shows when its thread sets the next.
   * Asked for the mode that runs, this announces the keys that are new.
   *
   * @return whether the mode that was asked for is the one in force
   * @throws IllegalStateException when a mode is running that readers outside may rely on, when
   *     {@code otep} is not to be had here, or when the mode can hold no more keys
   */
  public static boolean initialize(ContextOptions options) {
    synchronized (LIFECYCLE) {
      List<String> announced = List.of();
      Map<String, MethodHandle> elsewhere = SharedContexts.runningElsewhere();
      if (elsewhere != null) {
        SharedStorage shared = new SharedStorage(elsewhere);
        if (!Rendezvous.isAgent()) {
          follow(elsewhere);
          return shared.initialize(options);
        }
        if (options.mode() == ContextStorageMode.PROFILER) {
          // The default takes nothing away that outside readers already rely on.
          options = options.withMode(shared.mode());
        }
        announced = shared.attributeNames();
      }
      Running now = running;
      if (now == null) {
        return start(options, announced);
      }
      ContextStorageMode chosen = now.options.mode();
      if (chosen == options.mode()) {
        announceAll(options.attributeKeys());
        return now.storage.mode() == chosen;
      }
      if (chosen == ContextStorageMode.PROFILER) {
        return replace(now, options);
      }
      throw new IllegalStateException(
          "ctxstorage="
              + chosen.optionValue()
              + " was chosen at start and cannot be switched to "
              + options.mode().optionValue()
              + " while running");
    }
  }

  private static boolean start(ContextOptions options, List<String> announced) {
    Running first = open(options, announced);
    SharedContexts.stopOthers();
    Announcement.make(first.storage, first.keys);
    running = first;
    SharedContexts.leadOthers();
    return first.storage.mode() == options.mode();
  }

  /**
   * Puts another mode into the place of {@code profiler}. A thread that writes meanwhile writes to
   * the old record or to the new one, which are both there; other copies follow this one and so
   * whatever it has.
   */
  private static boolean replace(Running last, ContextOptions options) {
    Running next = open(options, names(last));
    if (next.storage.mode() != options.mode()) {
      // There was no memory for the ring, and what takes its place runs already.
      announceAll(options.attributeKeys());
      return false;
    }
    Announcement.make(next.storage, next.keys);
    running = next;
    last.storage.close();
    return true;
  }

  /** A storage with the keys that were announced before, in their order, and those of options. */
  private static Running open(ContextOptions options, List<String> announced) {
    ThreadStorage storage = ThreadStorage.open(options);
    AttributeKeys keys = new AttributeKeys(storage.maxAttributeKeys());
    try {
      if (storage.mode() == ContextStorageMode.OTEP) {
        keys.announce(OtepRecordDescriptor.LOCAL_ROOT_KEY);
      }
      keys.adopt(announced);
      options.attributeKeys().forEach(keys::announce);
    } catch (IllegalStateException | IllegalArgumentException e) {
      storage.close();
      throw e;
    }
    warnIfUseless(storage, keys.names());
    return new Running(storage, keys, options);
  }

  private static void warnIfUseless(ThreadStorage storage, List<String> names) {
    if (!names.isEmpty() && storage.mode() == ContextStorageMode.OTEL) {
      ContextLog.warn(
          "attributes="
              + String.join(";", names)
              + " cannot be set with ctxstorage=otel, which has no place for them; with"
              + " ctxstorage=otep they can");
    }
  }

  /**
   * Withdraws all thread records. The process record stays: who the process is does not change.
   * Records that another copy of this class keeps stay as well, and this copy writes no more to
   * them.
   */
  public static void shutdown() {
    synchronized (LIFECYCLE) {
      Running last = running;
      if (last == null) {
        return;
      }
      running = null;
      if (last.storage instanceof SharedStorage) {
        return;
      }
      SharedContexts.stopOthers();
      last.storage.close();
      Announcement.withdraw(last.storage, last.keys);
    }
  }

  public static boolean isInitialized() {
    Running now = running;
    return now != null && now.storage.isOpen();
  }

  /** Whether this copy of the class keeps the records, and does not follow another that does. */
  static boolean runsHere() {
    Running now = running;
    return now != null && !(now.storage instanceof SharedStorage);
  }

  /**
   * Writes through the functions of another copy of this class from now on; but an agent's copy
   * leads or does nothing, for its observer must see every change.
   */
  static void follow(Map<String, MethodHandle> functions) {
    if (Rendezvous.isAgent()) {
      return;
    }
    synchronized (LIFECYCLE) {
      SharedStorage storage = new SharedStorage(functions);
      running =
          new Running(storage, storage.keys(), ContextOptions.of(ContextStorageMode.PROFILER));
    }
  }

  /** The mode in force; {@code profiler}, the default, before {@link #initialize}. */
  public static ContextStorageMode getMode() {
    Running now = running;
    return now == null ? ContextStorageMode.PROFILER : now.storage.mode();
  }

  /**
   * Sets a context of 64-bit ids; the root span id takes the place of the trace id's lower half.
   * Who sets it knows of no sampling: it counts as sampled.
   */
  public static void set(long spanId, long rootSpanId) {
    set(0, rootSpanId, spanId, rootSpanId, SAMPLED);
  }

  /** Sets a context without saying whether it is sampled, which counts as sampled. */
  public static void setOtel(long traceIdHigh, long traceIdLow, long spanId) {
    set(traceIdHigh, traceIdLow, spanId, traceIdLow, SAMPLED);
  }

  /** Sets a context with its W3C trace flags. */
  public static void setOtel(long traceIdHigh, long traceIdLow, long spanId, int flags) {
    set(traceIdHigh, traceIdLow, spanId, traceIdLow, flags);
  }

  /**
   * Sets a context with its local root span. It replaces the whole context of this thread,
   * attributes included. Mode {@code otel} has no place for another root than {@code traceIdLow}.
   */
  public static void set(
      long traceIdHigh, long traceIdLow, long spanId, long rootSpanId, int flags) {
    Running now = running;
    if (now == null) {
      return;
    }
    BooleanSupplier gate = carrierGate;
    if (gate != null && Thread.currentThread().isVirtual() && !passes(gate)) {
      VIRTUAL_THREAD_CONTEXTS.get().set(traceIdHigh, traceIdLow, spanId, rootSpanId, flags);
      return;
    }
    if ((traceIdHigh | traceIdLow | spanId) == 0) {
      now.storage.clear();
    } else {
      now.storage.set(traceIdHigh, traceIdLow, spanId, rootSpanId, flags);
    }
    if (following && Thread.currentThread().isVirtual()) {
      VIRTUAL_THREAD_CONTEXTS.get().set(traceIdHigh, traceIdLow, spanId, rootSpanId, flags);
    }
    ContextObserver told = observer;
    if (told != null) {
      told.changed(traceIdHigh, traceIdLow, spanId, flags);
    }
  }

  /** Reads this thread's context; false, and {@code into} cleared, when there is none. */
  public static boolean get(ContextSnapshot into) {
    Running now = running;
    if (now == null) {
      into.clear();
      return false;
    }
    return now.storage.get(into);
  }

  /**
   * Reads the context of another thread of this process, by its tid; only mode {@code otel} can,
   * for in the others a record may be read on its own thread alone.
   */
  public static boolean getByTid(int tid, ContextSnapshot into) {
    Running now = running;
    if (now == null) {
      into.clear();
      return false;
    }
    return now.storage.getByTid(tid, into);
  }

  /** Ends this thread's context. */
  public static void clear() {
    set(0, 0, 0, 0, 0);
  }

  /** The span of this thread; 0 when it has none. */
  public static long spanId() {
    Running now = running;
    return now == null ? 0 : now.storage.spanId();
  }

  /** The operating system's number of this thread, or of its carrier; 0 before the start. */
  public static int tid() {
    Running now = running;
    return now == null ? 0 : now.storage.tid();
  }

  static long rootSpanId() {
    Running now = running;
    return now == null ? 0 : now.storage.rootSpanId();
  }

  /**
   * Tells readers of a key, so that attributes may use it. Keys stay for as long as contexts run.
   *
   * @throws IllegalStateException before {@link #initialize}, or when the mode can hold no more
   *     keys
   */
  public static AttributeKey announce(String name) {
    synchronized (LIFECYCLE) {
      Running now = running;
      if (now == null) {
        throw new IllegalStateException(
            "attribute key '" + name + "' cannot be announced before ContextApi.initialize");
      }
      boolean known = now.keys.find(name) != null;
      AttributeKey key = now.keys.announce(name);
      if (!known && runsHere()) {
        Announcement.renew(now.storage, now.keys);
      }
      return key;
    }
  }

  /**
   * Tells readers of the keys that options name. Where the mode has no place for attributes, a line
   * in the log says so.
   *
   * @throws IllegalStateException as {@link #announce} does
   */
  public static void announceAll(List<String> names) {
    synchronized (LIFECYCLE) {
      List<String> unknown = names.stream().filter(name -> indexOf(name) < 0).toList();
      unknown.forEach(ContextApi::announce);
      Running now = running;
      if (now != null) {
        warnIfUseless(now.storage, unknown);
      }
    }
  }

  /** The announced keys, in order. */
  static List<String> names() {
    Running now = running;
    return now == null ? List.of() : names(now);
  }

  /** Without the one that a mode has by itself. */
  private static List<String> names(Running from) {
    return from.keys.names().stream()
        .filter(name -> !name.equals(OtepRecordDescriptor.LOCAL_ROOT_KEY))
        .toList();
  }

  /** Sets an attribute of this thread's context; it stays until the context is set or cleared. */
  public static AttributeOutcome setAttribute(AttributeKey key, String value) {
    Running now = running;
    if (now == null) {
      return AttributeOutcome.NOT_IN_THIS_MODE;
    }
    AttributeKey known = now.keys.find(key);
    if (known == null) {
      return AttributeOutcome.KEY_NOT_ANNOUNCED;
    }
    if (carrierGate != null && Thread.currentThread().isVirtual()) {
      VIRTUAL_THREAD_CONTEXTS.get().setAttribute(known, value);
      return AttributeOutcome.SET;
    }
    AttributeOutcome outcome = now.storage.setAttribute(known, value);
    if (outcome == AttributeOutcome.SET && following && Thread.currentThread().isVirtual()) {
      VIRTUAL_THREAD_CONTEXTS.get().setAttribute(known, value);
    }
    return outcome;
  }

  /** The index of an announced key; -1 when it is not. */
  static int indexOf(String name) {
    Running now = running;
    AttributeKey key = now == null ? null : now.keys.find(name);
    return key == null ? -1 : key.index();
  }

  /** Sets an attribute by the name of its key. */
  public static AttributeOutcome setAttribute(String name, String value) {
    Running now = running;
    if (now == null) {
      return AttributeOutcome.NOT_IN_THIS_MODE;
    }
    AttributeKey key = now.keys.find(name);
    return key == null ? AttributeOutcome.KEY_NOT_ANNOUNCED : setAttribute(key, value);
  }

  /** The value of an attribute of this thread's context; null when there is none. */
  public static @Nullable String getAttribute(AttributeKey key) {
    Running now = running;
    AttributeKey known = now == null ? null : now.keys.find(key);
    return now == null || known == null ? null : now.storage.getAttribute(known);
  }

  /**
   * From now on virtual threads keep their context where {@link #onMount} finds it. For an agent
   * that calls {@code onMount} and {@code onUnmount}; without one it would be work for nothing.
   *
   * @return where each virtual thread's context is
   */
  public static ThreadLocal<VirtualThreadContext> followVirtualThreads() {
    following = true;
    return VIRTUAL_THREAD_CONTEXTS;
  }

  /**
   * The same, with {@code onMount} and {@code onUnmount} to be called only once a virtual thread
   * has a context. Until {@code ready} says true no virtual thread writes to its carrier's record,
   * where it would leave its context behind; after that it is not asked again.
   */
  public static ThreadLocal<VirtualThreadContext> followVirtualThreads(BooleanSupplier ready) {
    carrierGate = ready;
    return followVirtualThreads();
  }

  /**
   * Whether the contexts of virtual threads come and go with them; if not, what a carrier's record
   * says may be of a virtual thread that has left it.
   */
  public static boolean followsVirtualThreads() {
    return following && carrierGate == null;
  }

  /**
   * Tells {@code newObserver} of all changes from now on, and nobody when it is null. There is one
   * at a time: the profiler that runs.
   */
  public static void observe(@Nullable ContextObserver newObserver) {
    observer = newObserver;
  }

  /** Whether anybody is told of changes. */
  public static boolean isObserved() {
    return observer != null;
  }

  private static boolean passes(BooleanSupplier gate) {
    boolean open = gate.getAsBoolean();
    if (open) {
      carrierGate = null;
    }
    return open;
  }

  /**
   * A virtual thread is about to run on this carrier: its context, or none, becomes the carrier's.
   */
  public static void onMount(@Nullable VirtualThreadContext context) {
    Running now = running;
    if (now == null) {
      return;
    }
    if (context == null) {
      now.storage.clear();
    } else {
      context.applyTo(now.storage, now.keys);
    }
    ContextObserver told = observer;
    if (told != null) {
      if (context == null) {
        told.carrierChanged(0, 0, 0, 0);
      } else {
        context.tell(told);
      }
    }
  }

  /** A virtual thread has left this carrier, which does nothing for anybody now. */
  public static void onUnmount() {
    Running now = running;
    if (now == null) {
      return;
    }
    now.storage.clear();
    ContextObserver told = observer;
    if (told != null) {
      told.carrierChanged(0, 0, 0, 0);
    }
  }
}
