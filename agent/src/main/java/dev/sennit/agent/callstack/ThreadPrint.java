/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;

/**
 * Asks the JVM for a dump of all threads: the diagnostic command {@code Thread.print}, which walks
 * all stacks in one safepoint operation. Found by JDK 25: a second one looks for deadlocks.
 */
interface ThreadPrint {
  String COMMAND = "Thread.print";

  /**
   * The text of a dump.
   *
   * @throws Throwable if the JVM refuses
   */
  String dump() throws Throwable;

  /**
   * The command itself where its package is open to us, for that starts no MBean server, of which
   * an application may want one of its own making; else the command's MBean.
   */
  static ThreadPrint open() {
    try {
      return direct();
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      return new ManagedThreadPrint();
    }
  }

  private static ThreadPrint direct() throws ReflectiveOperationException {
    // Loads the native library that the command needs.
    Class.forName("com.sun.management.internal.PlatformMBeanProviderImpl");
    Class<?> type = Class.forName("com.sun.management.internal.DiagnosticCommandImpl");
    Method factory = type.getDeclaredMethod("getDiagnosticCommandMBean");
    factory.setAccessible(true);
    Method execute = type.getDeclaredMethod("executeDiagnosticCommand", String.class);
    execute.setAccessible(true);
    MethodHandle command = MethodHandles.lookup().unreflect(execute).bindTo(factory.invoke(null));
    return () -> (String) command.invoke(COMMAND);
  }
}
