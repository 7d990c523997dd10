/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;

/**
 * A JVM that publishes what it is told to, line by line until {@code end}, and answers each line
 * with one of its own: {@code ok}, a value, or {@code error: } and why. Words after a command are
 * {@code key=value}. A line that starts with {@code copy } is carried out by a second copy of the
 * classes, in a class loader of its own.
 */
final class TalkingPublisher {
  private TalkingPublisher() {}

  /**
   * Reads commands from standard input.
   *
   * @param arguments the library of {@code neighbour.c}, where its commands are used
   */
  public static void main(String[] arguments) throws Exception {
    String library = arguments.length > 0 ? arguments[0] : "";
    URLClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader());
    Method copy =
        loader
            .loadClass(TalkingPublisher.class.getName())
            .getDeclaredMethod("answer", String.class, String.class);
    copy.setAccessible(true);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    System.out.println("ready");
    for (String line = in.readLine(); !"end".equals(line); line = in.readLine()) {
      Object answer;
      if (line.startsWith("both ")) {
        String command = line.substring("both ".length());
        FutureTask<Object> other = new FutureTask<>(() -> copy.invoke(null, command, library));
        Thread.ofPlatform().start(other);
        answer = answer(command, library) + " " + other.get();
      } else if (line.startsWith("copy ")) {
        answer = copy.invoke(null, line.substring("copy ".length()), library);
      } else {
        answer = answer(line, library);
      }
      System.out.println(answer);
    }
  }

  private static URL[] classPath() throws Exception {
    String[] entries = System.getProperty("java.class.path").split(File.pathSeparator);
    URL[] urls = new URL[entries.length];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = Path.of(entries[i]).toUri().toURL();
    }
    return urls;
  }

  private static String answer(String line, String library) {
    List<String> words = Arrays.asList(line.split(" "));
    List<String> rest = words.subList(1, words.size());
    try {
      return switch (words.getFirst()) {
        case "publish" -> publish(context(rest));
        case "detect" -> publish(ResourceDetector.detect());
        case "publish-sized" -> publish(sized(Integer.parseInt(rest.getFirst())));
        case "publish-often" -> publishOften(Integer.parseInt(rest.getFirst()));
        case "contribute" -> contribute(rest);
        case "withdraw" -> withdraw(rest);
        case "drop" -> Boolean.toString(ProcessContextPublisher.drop());
        case "published" -> Boolean.toString(ProcessContextPublisher.isPublished());
        case "neighbour-publish" -> neighbourPublish(library, context(rest), false);
        case "neighbour-protected" -> neighbourPublish(library, context(rest), true);
        case "neighbour-point" ->
            call(
                library,
                "neighbour_point",
                JAVA_LONG,
                Long.decode(rest.get(0)),
                Integer.decode(rest.get(1)));
        case "neighbour-at" ->
            call(library, "neighbour_at", JAVA_LONG, Long.decode(rest.getFirst()));
        case "fork" -> call(library, "neighbour_fork", JAVA_LONG);
        default -> "error: unknown command " + line;
      };
    } catch (ProcessContextException e) {
      return "error: " + e.getMessage();
    }
  }

  private static String publish(ProcessContext context) {
    ProcessContextPublisher.publish(context);
    return "ok";
  }

  private static String publishOften(int times) {
    for (int i = 1; i <= times; i++) {
      ProcessContextPublisher.publish(
          ProcessContext.builder().resource("update", AttributeValue.of(i)).build());
    }
    return "ok";
  }

  private static String contribute(List<String> words) {
    ProcessContextPublisher.contribute(entries(words));
    return "ok";
  }

  private static String withdraw(List<String> keys) {
    ProcessContextPublisher.withdraw(keys);
    return "ok";
  }

  /** Words with a leading {@code +} become attributes, the others the resource. */
  static ProcessContext context(List<String> words) {
    return new ProcessContext(
        entries(words.stream().filter(word -> !word.startsWith("+")).toList()),
        entries(
            words.stream()
                .filter(word -> word.startsWith("+"))
                .map(word -> word.substring(1))
                .toList()));
  }

  private static Map<String, AttributeValue> entries(List<String> words) {
    Map<String, AttributeValue> entries = new LinkedHashMap<>();
    for (String word : words) {
      int equals = word.indexOf('=');
      entries.put(word.substring(0, equals), AttributeValue.of(word.substring(equals + 1)));
    }
    return entries;
  }

  /** A context whose payload takes exactly {@code bytes}. */
  static ProcessContext sized(int bytes) {
    ProcessContext guess = ProcessContext.builder().resource("k", "v".repeat(bytes)).build();
    int surplus = ProcessContextCodec.encode(guess).length - bytes;
    return ProcessContext.builder().resource("k", "v".repeat(bytes - surplus)).build();
  }

  private static String neighbourPublish(String library, ProcessContext context, boolean protect) {
    try (Arena arena = Arena.ofConfined()) {
      byte[] payload = ProcessContextCodec.encode(context);
      MemorySegment bytes = arena.allocateFrom(JAVA_BYTE, payload);
      return call(library, "neighbour_publish", ADDRESS, bytes, payload.length, protect ? 1 : 0);
    }
  }

  /** Calls a function of the library whose first parameter is of a kind of its own. */
  @SuppressWarnings("restricted")
  private static String call(
      String library, String function, ValueLayout first, Object... arguments) {
    ValueLayout[] parameters = new ValueLayout[arguments.length];
    Arrays.fill(parameters, JAVA_INT);
    if (parameters.length > 0) {
      parameters[0] = first;
    }
    MethodHandle handle =
        Linker.nativeLinker()
            .downcallHandle(
                SymbolLookup.libraryLookup(library, Arena.global()).find(function).orElseThrow(),
                FunctionDescriptor.of(JAVA_INT, parameters));
    try {
      return String.valueOf(handle.invokeWithArguments(arguments));
    } catch (Throwable t) {
      throw new AssertionError(function, t);
    }
  }
}
