/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.util.HashSet;
import java.util.Set;

/**
 * A collector that can be killed: a process that prints {@code port N} and {@code got N}, and dies
 * without a word between a request and its answer when it gets a number that it was told.
 */
final class CollectorProgram {
  private CollectorProgram() {}

  /** Protocol, port, and the numbers to die at. */
  public static void main(String[] arguments) throws InterruptedException {
    Set<Integer> fatal = new HashSet<>();
    for (int i = 2; i < arguments.length; i++) {
      fatal.add(Integer.parseInt(arguments[i]));
    }
    try (Collector collector =
        Collector.start(Protocol.valueOf(arguments[0]), Integer.parseInt(arguments[1]))) {
      collector.beforeAnswer(
          number -> {
            System.out.println("got " + number);
            if (fatal.contains(number)) {
              Runtime.getRuntime().halt(137);
            }
          });
      System.out.println("port " + collector.port());
      Thread.currentThread().join();
    }
  }
}
