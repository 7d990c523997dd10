/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

/**
 * One line of a call stack, as the conventions split it.
 *
 * @param namespace the class with its package, or {@link #UNKNOWN}
 * @param file with its extension, {@link #NATIVE}, or {@link #UNKNOWN}
 * @param line 0 if it is not known
 */
record StackFrame(String namespace, String function, String file, int line) {
  static final String UNKNOWN = "unknown";

  /** Where the JVM says that a method is native; the conventions leave the mark to us. */
  static final String NATIVE = "Native Method";

  static StackFrame of(StackTraceElement element) {
    String file = element.getFileName() == null ? UNKNOWN : element.getFileName();
    return new StackFrame(
        FrameParser.withoutAddress(element.getClassName()),
        element.getMethodName(),
        element.isNativeMethod() ? NATIVE : file,
        Math.max(element.getLineNumber(), 0));
  }
}
