/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The ways in which work goes from one thread to another; each can be left alone. */
public enum HandOffKind {
  /** Pools of threads, also with a delay. */
  EXECUTOR,
  FORKJOIN,
  /** {@code CompletableFuture}: what is to be done when it is completed. */
  FUTURE,
  /** Platform threads: what is current where one is started. */
  THREAD,
  /** The same of virtual threads. */
  VIRTUAL,
  TIMER,
  /** {@code java.net.http.HttpClient}, which writes requests on threads of its own. */
  HTTPCLIENT,
  /** Netty's event loops, channels and promises, and the pools of Reactor. */
  NETTY,
  /** Log4j's appenders: a line is written by the thread that logs it, and by no other. */
  LOG4J;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * What an option says: {@code all}, {@code none}, or some of them, as in {@code executor;timer}.
   *
   * @throws IllegalArgumentException naming what is not known, and all that is
   */
  public static Set<HandOffKind> parse(String text) {
    if (text.isEmpty() || text.equals("all")) {
      return EnumSet.allOf(HandOffKind.class);
    }
    EnumSet<HandOffKind> kinds = EnumSet.noneOf(HandOffKind.class);
    if (text.equals("none")) {
      return kinds;
    }
    for (String name : text.split(";", -1)) {
      kinds.add(
          Arrays.stream(values())
              .filter(kind -> kind.text().equals(name.strip()))
              .findFirst()
              .orElseThrow(() -> unknown(name, text)));
    }
    return kinds;
  }

  private static IllegalArgumentException unknown(String name, String text) {
    return new IllegalArgumentException(
        "handoff="
            + text
            + ": '"
            + name
            + "' is not known; use all, none, or some of "
            + Arrays.stream(values()).map(HandOffKind::text).collect(Collectors.joining(";")));
  }
}
