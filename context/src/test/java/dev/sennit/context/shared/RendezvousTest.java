/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sennit.context.thread.AttributeKey;
import dev.sennit.context.thread.AttributeOutcome;
import dev.sennit.context.thread.ContextApi;
import dev.sennit.context.thread.ContextSnapshot;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Copies of the context classes in class loaders that do not know of each other. */
@Requires
class RendezvousTest {
  private final Copy one = new Copy();
  private final Copy other = new Copy();

  @AfterEach
  void shutdown() {
    one.call("shutdown");
    other.call("shutdown");
    ContextApi.shutdown();
  }

  /** A copy that is reached by reflection alone. */
  private static final class Copy {
    private final Class<?> api;
    private final Class<?> snapshot;

    Copy() {
      URL[] classPath =
          Arrays.stream(ChildProcess.classPath().split(File.pathSeparator))
              .map(Copy::url)
              .toArray(URL[]::new);
      // It lives as long as its classes, for the rest of the test.
      @SuppressWarnings("resource")
      ClassLoader loader = new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader());
      try {
        api = Class.forName(ContextApi.class.getName(), true, loader);
        snapshot = Class.forName(ContextSnapshot.class.getName(), true, loader);
      } catch (ClassNotFoundException e) {
        throw new AssertionError(e);
      }
    }

    private static URL url(String place) {
      try {
        return Path.of(place).toUri().toURL();
      } catch (MalformedURLException e) {
        throw new AssertionError(e);
      }
    }

    Object call(String method, Object... arguments) {
      Class<?>[] types =
          Arrays.stream(arguments)
              .map(
                  argument ->
                      argument instanceof Long
                          ? long.class
                          : argument instanceof Integer ? int.class : argument.getClass())
              .toArray(Class<?>[]::new);
      try {
        return api.getMethod(method, types).invoke(null, arguments);
      } catch (InvocationTargetException e) {
        if (e.getCause() instanceof RuntimeException failure) {
          throw failure;
        }
        throw new AssertionError(e);
      } catch (ReflectiveOperationException e) {
        throw new LinkageError(e.getMessage(), e);
      }
    }

    String context() {
      try {
        Object into = snapshot.getConstructor().newInstance();
        return call("get", into).equals(true) ? into.toString() : "none";
      } catch (ReflectiveOperationException e) {
        throw new LinkageError(e.getMessage(), e);
      }
    }
  }

  @Test
  void whatOneCopyStartsAllWriteTo() {
    one.call("initialize", "ctxstorage=otel");
    assertThat(other.call("isInitialized")).isEqualTo(true);
    assertThat(other.call("getMode")).hasToString("OTEL");
    other.call("setOtel", 1L, 2L, 3L, 1);
    assertThat(one.context())
        .isEqualTo(other.context())
        .startsWith("00000000000000010000000000000002-0000000000000003-01");
    assertThat(ContextApi.get(new ContextSnapshot())).isTrue();
    other.call("clear");
    assertThat(one.context()).isEqualTo("none");
  }

  @Test
  void aCopyThatComesLaterFindsTheRecords() {
    one.call("initialize", "ctxstorage=otel");
    one.call("setOtel", 1L, 2L, 3L, 1);
    assertThat(new Copy().context()).isEqualTo(one.context());
  }

  @Test
  void startingAgainFindsTheModeThatRuns() {
    one.call("initialize", "ctxstorage=otel");
    assertThat(other.call("initialize", "ctxstorage=otel")).isEqualTo(true);
    assertThatThrownBy(() -> other.call("initialize", "ctxstorage=profiler"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ctxstorage=otel was chosen at start");
  }

  @Test
  void aFollowerThatStopsLeavesTheRecordsOfTheOther() {
    one.call("initialize", "ctxstorage=otel");
    one.call("setOtel", 1L, 2L, 3L, 1);
    other.call("shutdown");
    assertThat(other.call("isInitialized")).isEqualTo(false);
    other.call("setOtel", 7L, 7L, 7L, 1);
    assertThat(one.context()).contains("-0000000000000003-");
    other.call("initialize", "ctxstorage=otel");
    assertThat(other.context()).isEqualTo(one.context());
  }

  @Test
  void whenTheRecordsEndTheyEndForAllAndAnyCopyMayStartAnew() {
    one.call("initialize", "ctxstorage=otel");
    one.call("shutdown");
    assertThat(other.call("isInitialized")).isEqualTo(false);
    other.call("initialize", "ctxstorage=profiler");
    assertThat(one.call("getMode")).hasToString("PROFILER");
  }

  @Test
  void attributesAreThoseOfTheCopyThatKeepsTheRecords() {
    one.call("initialize", "ctxstorage=profiler,attributes=route");
    one.call("setOtel", 1L, 2L, 3L, 1);
    assertThat(ContextApi.setAttribute("route", "/cart")).isEqualTo(AttributeOutcome.SET);
    assertThat(ContextApi.setAttribute("unknown", "x"))
        .isEqualTo(AttributeOutcome.KEY_NOT_ANNOUNCED);
    AttributeKey user = ContextApi.announce("user");
    assertThat(user.index()).isEqualTo(1);
    assertThat(ContextApi.setAttribute(user, "u1")).isEqualTo(AttributeOutcome.SET);
    assertThat(ContextApi.getAttribute(user)).isEqualTo("u1");
    assertThat(other.call("setAttribute", "user", "u2")).hasToString("SET");
    assertThat(ContextApi.getAttribute(user)).isEqualTo("u2");
  }

  @Test
  void nobodyMeetsItInTheSystemProperties() {
    one.call("initialize", "ctxstorage=profiler");
    assertThat(System.getProperties().values()).allMatch(String.class::isInstance);
  }
}
