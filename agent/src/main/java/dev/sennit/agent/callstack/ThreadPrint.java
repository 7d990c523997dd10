/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks the JVM for a dump of all threads: the diagnostic command {@code Thread.print}, which walks
 * all stacks in one safepoint operation. Found by JDK 25: a second one looks for deadlocks.
 */
interface ThreadPrint {
  /** How many frames of a stack HotSpot prints, unless it is told otherwise. */
  int USUAL_DEPTH = 1024;

  Pattern DEPTH = Pattern.compile("-XX:MaxJavaStackTraceDepth=(\\d{1,9})\\b");

  /**
   * The text of a dump.
   *
   * @throws Throwable if the JVM refuses
   */
  String dump() throws Throwable;

  /**
   * The flags of the JVM that are not as they usually are, the way a command line has them.
   *
   * @throws Throwable if the JVM refuses
   */
  String flags() throws Throwable;

  /** How many frames of a stack are printed, from the innermost on; 0 if it is all of them. */
  default int depth() {
    try {
      Matcher depth = DEPTH.matcher(flags());
      return depth.find() ? Integer.parseInt(depth.group(1)) : USUAL_DEPTH;
    } catch (Throwable t) {
      return USUAL_DEPTH;
    }
  }

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
    return new Direct(command);
  }

  /**
   * The JVM's commands without a bean around them.
   *
   * @param command takes the line of a command
   */
  record Direct(MethodHandle command) implements ThreadPrint {
    @Override
    public String dump() throws Throwable {
      return (String) command.invoke("Thread.print");
    }

    @Override
    public String flags() throws Throwable {
      return (String) command.invoke("VM.flags");
    }
  }
}
