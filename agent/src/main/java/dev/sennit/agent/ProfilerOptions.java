/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import dev.sennit.agent.handoff.HandOffKind;
import dev.sennit.context.thread.ContextOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a command asks of the profiler: {@code start,cpu=10ms,ctxstorage=otel,jfr,file=a.jfr}. What
 * a command does not say may stand in a system property ({@code sennit.cpu}) or in an environment
 * variable ({@code SENNIT_CPU}), in this order.
 *
 * <p>Times and sizes are 0 where nothing of the kind is wanted.
 *
 * @param cpu nanoseconds of CPU time between samples
 * @param wall nanoseconds between samples of every thread, running or not
 * @param alloc bytes allocated between samples
 * @param live whether only samples of objects that are still alive count
 * @param lock nanoseconds that a wait for a lock must take to count
 * @param nativemem bytes of native memory allocated between samples
 * @param contexts how thread contexts are stored
 * @param namesContexts whether {@code ctxstorage} was given at all
 * @param handOff in which ways contexts follow work from thread to thread
 * @param inbound the socket at which the kernel's word on requests is to be had
 * @param tls whether the plaintext of the JDK's TLS is told, and requests in it get a header
 * @param file where recordings go, with {@code %p} for the pid and {@code %t} for the time
 * @param exports whether profiles are sent by OTLP
 * @param endpoint where to, if not where OpenTelemetry's own settings say
 * @param aggregate whether profiles are sums without timestamps
 * @param chunktime how much one recording and one export hold
 */
public record ProfilerOptions(
    Action action,
    EngineWish engine,
    long cpu,
    long wall,
    long alloc,
    boolean live,
    long lock,
    long nativemem,
    ContextOptions contexts,
    boolean namesContexts,
    Set<HandOffKind> handOff,
    Optional<String> inbound,
    boolean tls,
    Optional<String> file,
    boolean exports,
    Optional<String> endpoint,
    boolean aggregate,
    Duration chunktime) {

  /** What is to be done. */
  public enum Action {
    START,
    STOP,
    DUMP,
    STATUS,
    /** Nothing of the profiler: the options concern contexts only. */
    NONE
  }

  /** Which engine is wanted. */
  public enum EngineWish {
    AUTO,
    ASYNC,
    JFR
  }

  private static final long DEFAULT_CPU = 10_000_000;
  private static final long DEFAULT_WALL = 50_000_000;
  private static final long DEFAULT_ALLOC = 512 << 10;
  private static final long DEFAULT_LOCK = 10_000;
  private static final long DEFAULT_NATIVEMEM = 512 << 10;
  private static final Duration DEFAULT_CHUNKTIME = Duration.ofSeconds(60);
  private static final DateTimeFormatter FILE_TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

  /**
   * Reads a command, and what it leaves open from this process's properties and environment.
   *
   * @throws IllegalArgumentException naming the option, its value and the right ones
   */
  public static ProfilerOptions parse(String command) {
    return parse(command, System::getProperty, System::getenv);
  }

  static ProfilerOptions parse(
      String command,
      Function<String, @Nullable String> properties,
      Function<String, @Nullable String> environment) {
    Map<OptionName, String> given = new EnumMap<>(OptionName.class);
    Action action = Action.NONE;
    for (String part : command.split(",", -1)) {
      if (part.isBlank()) {
        continue;
      }
      int equals = part.indexOf('=');
      OptionName name = OptionName.of((equals < 0 ? part : part.substring(0, equals)).strip());
      String value = equals < 0 ? "" : part.substring(equals + 1).strip();
      check(name.text(), name, value, equals >= 0);
      given.put(name, value);
      action = actionOf(name, action, command);
    }
    for (OptionName name : OptionName.values()) {
      if (name.isSetting() && !given.containsKey(name)) {
        addSetting(name, properties.apply(name.property()), environment, given);
      }
    }
    return of(action, given);
  }

  private static Action actionOf(OptionName name, Action before, String command) {
    Action action =
        switch (name) {
          case START -> Action.START;
          case STOP -> Action.STOP;
          case DUMP -> Action.DUMP;
          case STATUS -> Action.STATUS;
          default -> Action.NONE;
        };
    if (action != Action.NONE && before != Action.NONE && action != before) {
      throw new IllegalArgumentException(
          "'" + command + "' asks for two things at once; use one of start, stop, dump, status");
    }
    return action == Action.NONE ? before : action;
  }

  private static void addSetting(
      OptionName name,
      @Nullable String property,
      Function<String, @Nullable String> environment,
      Map<OptionName, String> given) {
    String value = property != null ? property : environment.apply(name.variable());
    if (value == null || value.isBlank()) {
      return;
    }
    check(property != null ? name.property() : name.variable(), name, value.strip(), true);
    given.put(name, value.strip());
  }

  private static void check(String spelled, OptionName name, String value, boolean hasEquals) {
    if (name.needsValue() && value.isEmpty()) {
      throw new IllegalArgumentException("'" + spelled + "' needs a value");
    }
    if (!name.allowsValue() && hasEquals) {
      throw new IllegalArgumentException("'" + spelled + "' takes no value, not '" + value + "'");
    }
  }

  private static ProfilerOptions of(Action action, Map<OptionName, String> given) {
    long interval = nanos(given, OptionName.INTERVAL, 0);
    long cpu = nanos(given, OptionName.CPU, interval == 0 ? DEFAULT_CPU : interval);
    long wall = nanos(given, OptionName.WALL, DEFAULT_WALL);
    long alloc = bytes(given, OptionName.ALLOC, DEFAULT_ALLOC);
    boolean live = flag(given, OptionName.LIVE);
    if (live && alloc == 0) {
      alloc = DEFAULT_ALLOC;
    }
    long lock = nanos(given, OptionName.LOCK, DEFAULT_LOCK);
    long nativemem = bytes(given, OptionName.NATIVEMEM, DEFAULT_NATIVEMEM);
    if (cpu == 0 && (interval != 0 || (wall | alloc | lock | nativemem) == 0)) {
      cpu = interval == 0 ? DEFAULT_CPU : interval;
    }
    if (given.containsKey(OptionName.HANDOFF)
        || given.containsKey(OptionName.INBOUND)
        || given.containsKey(OptionName.TLS)) {
      // What goes from thread to thread is of use where the kernel can read it.
      given.putIfAbsent(OptionName.CTXSTORAGE, "otel");
    }
    Optional<String> file = Optional.ofNullable(given.get(OptionName.FILE));
    file.ifPresent(ProfilerOptions::requirePath);
    Optional<String> endpoint =
        Optional.ofNullable(given.get(OptionName.OTLP)).filter(url -> !url.isEmpty());
    return new ProfilerOptions(
        action,
        choice(given, OptionName.ENGINE, EngineWish.class, EngineWish.AUTO),
        cpu,
        wall,
        alloc,
        live,
        lock,
        nativemem,
        ContextOptions.parse(contextText(given)),
        given.containsKey(OptionName.CTXSTORAGE),
        handOff(given),
        Optional.ofNullable(given.get(OptionName.INBOUND)),
        choice(
                given,
                OptionName.TLS,
                Switch.class,
                given.containsKey(OptionName.INBOUND) ? Switch.ON : Switch.OFF)
            == Switch.ON,
        file,
        given.containsKey(OptionName.OTLP) || file.isEmpty(),
        endpoint,
        choice(given, OptionName.SHAPE, Shape.class, Shape.TIMESTAMPS) == Shape.AGGREGATED,
        given.containsKey(OptionName.CHUNKTIME)
            ? Duration.ofNanos(
                Quantity.nanos("chunktime", given.getOrDefault(OptionName.CHUNKTIME, ""), "s"))
            : DEFAULT_CHUNKTIME);
  }

  /** Without a word on it, contexts follow work where the kernel says which requests there are. */
  private static Set<HandOffKind> handOff(Map<OptionName, String> given) {
    String value = given.get(OptionName.HANDOFF);
    return value == null && !given.containsKey(OptionName.INBOUND)
        ? Set.of()
        : HandOffKind.parse(value == null ? "all" : value);
  }

  private enum Switch {
    ON,
    OFF
  }

  /** The values of {@code sennit.otlp.shape}. */
  private enum Shape {
    TIMESTAMPS,
    AGGREGATED
  }

  private static String contextText(Map<OptionName, String> given) {
    List<String> parts = new ArrayList<>();
    for (OptionName name :
        List.of(
            OptionName.CTXSTORAGE,
            OptionName.CTXCAPACITY,
            OptionName.CTXSCHEMA,
            OptionName.ATTRIBUTES)) {
      String value = given.get(name);
      if (value != null) {
        parts.add(name.text() + "=" + value);
      }
    }
    return String.join(",", parts);
  }

  private static long nanos(Map<OptionName, String> given, OptionName name, long whenBare) {
    String value = given.get(name);
    if (value == null) {
      return 0;
    }
    return value.isEmpty() ? whenBare : Quantity.nanos(name.text(), value, "ns");
  }

  private static long bytes(Map<OptionName, String> given, OptionName name, long whenBare) {
    String value = given.get(name);
    if (value == null) {
      return 0;
    }
    return value.isEmpty() ? whenBare : Quantity.bytes(name.text(), value);
  }

  private static boolean flag(Map<OptionName, String> given, OptionName name) {
    String value = given.get(name);
    if (value == null || value.equals("false")) {
      return false;
    }
    if (!value.isEmpty() && !value.equals("true")) {
      throw new IllegalArgumentException(name.text() + "=" + value + " is neither true nor false");
    }
    return true;
  }

  private static <E extends Enum<E>> E choice(
      Map<OptionName, String> given, OptionName name, Class<E> type, E byDefault) {
    String value = given.get(name);
    if (value == null) {
      return byDefault;
    }
    List<String> known = new ArrayList<>();
    for (E constant : type.getEnumConstants()) {
      String text = constant.name().toLowerCase(Locale.ROOT);
      if (text.equals(value)) {
        return constant;
      }
      known.add(text);
    }
    throw new IllegalArgumentException(
        name.text() + "=" + value + " is not known; use one of " + String.join(", ", known));
  }

  private static void requirePath(String file) {
    if (file.indexOf(0) >= 0) {
      throw new IllegalArgumentException("file=" + file + " is not a path");
    }
  }

  /** Whether contexts are to follow work from thread to thread. */
  boolean handsOff() {
    return !handOff.isEmpty() || inbound.isPresent() || tls;
  }

  /** The file with pid and time in their places. */
  public Optional<Path> resolvedFile() {
    return file.map(
        name ->
            Path.of(
                name.replace("%p", Long.toString(ProcessHandle.current().pid()))
                    .replace("%t", FILE_TIME.format(LocalDateTime.now(ZoneId.systemDefault())))));
  }

  /** What is sampled, as a command has it. */
  String events() {
    List<String> events = new ArrayList<>();
    addIf(cpu != 0, "cpu=" + Quantity.time(cpu), events);
    addIf(wall != 0, "wall=" + Quantity.time(wall), events);
    addIf(alloc != 0, "alloc=" + Quantity.size(alloc), events);
    addIf(live, "live", events);
    addIf(lock != 0, "lock=" + Quantity.time(lock), events);
    addIf(nativemem != 0, "nativemem=" + Quantity.size(nativemem), events);
    return String.join(",", events);
  }

  private static void addIf(boolean condition, String text, List<String> to) {
    if (condition) {
      to.add(text);
    }
  }
}
