/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Where thread contexts are kept: the values of the option {@code ctxstorage}. */
public enum ContextStorageMode {
  /** A native record per thread with a checksum, for readers inside the process. */
  PROFILER,
  /** One ring of slots for the whole process, indexed by tid, for readers inside and outside. */
  OTEL,
  /** The record of OTEP 4947 behind the thread-local symbol {@code otel_thread_ctx_v1}. */
  OTEP;

  /** Key of the process record that tells outside readers which storage a process uses. */
  public static final String PROCESS_KEY = "sennit.thread_storage";

  /** The value as it is written in options. */
  public String optionValue() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The mode that {@code value} names.
   *
   * @throws IllegalArgumentException naming the value and the right ones
   */
  public static ContextStorageMode parse(String value) {
    for (ContextStorageMode mode : values()) {
      if (mode.optionValue().equals(value)) {
        return mode;
      }
    }
    String known =
        Arrays.stream(values())
            .map(ContextStorageMode::optionValue)
            .collect(Collectors.joining(", "));
    throw new IllegalArgumentException(
        "ctxstorage=" + value + " is not a storage mode; use one of " + known);
  }
}
