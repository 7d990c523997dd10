/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * The signals that a command takes itself. The JDK's class for it is not part of its interface, and
 * named here alone; where it is missing, signals do what they do to any JVM.
 */
final class Signals {
  /**
   * A signal by its name and number. QUIT and USR2 are not among them: the JVM uses them itself.
   */
  enum Signal {
    HUP(1),
    INT(2),
    TERM(15),
    USR1(10);

    private final int number;

    Signal(int number) {
      this.number = number;
    }

    int number() {
      return number;
    }
  }

  private Signals() {}

  /** Runs an action at each such signal from now on. Answers whether that works here. */
  static boolean on(Signal signal, Runnable action) {
    try {
      Class<?> type = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      Object handler =
          Proxy.newProxyInstance(
              handlerType.getClassLoader(),
              new Class<?>[] {handlerType},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "handle" -> {
                      action.run();
                      yield null;
                    }
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> false;
                    default -> signal.name();
                  });
      Object named = type.getConstructor(String.class).newInstance(signal.name());
      type.getMethod("handle", type, handlerType).invoke(null, named, handler);
      return true;
    } catch (ClassNotFoundException
        | NoSuchMethodException
        | InstantiationException
        | IllegalAccessException
        | InvocationTargetException e) {
      return false;
    }
  }
}
