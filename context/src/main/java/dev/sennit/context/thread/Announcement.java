/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import dev.sennit.context.ContextLog;
import dev.sennit.context.process.ProcessContextException;
import dev.sennit.context.process.ProcessContextPublisher;
import dev.sennit.context.process.ResourceDetector;

/**
 * Tells outside readers in the process record where thread records are and how to read them. What
 * cannot be told is logged: contexts work without.
 */
final class Announcement {
  private Announcement() {}

  /** Tells it, if need be in a process record that is published for the purpose. */
  static void make(ThreadStorage storage, AttributeKeys keys) {
    try {
      ProcessContextPublisher.contribute(storage.announcement(keys));
      if (storage.mode() != ContextStorageMode.PROFILER && !ProcessContextPublisher.isPublished()) {
        ProcessContextPublisher.publish(ResourceDetector.detect());
      }
    } catch (ProcessContextException e) {
      ContextLog.warn("thread contexts are not announced to outside readers: " + e.getMessage());
    }
  }

  /** Tells of the keys as they are now. */
  static void renew(ThreadStorage storage, AttributeKeys keys) {
    try {
      ProcessContextPublisher.contribute(storage.announcement(keys));
    } catch (ProcessContextException e) {
      ContextLog.warn("new attribute keys are not announced: " + e.getMessage());
    }
  }

  static void withdraw(ThreadStorage storage, AttributeKeys keys) {
    try {
      ProcessContextPublisher.withdraw(storage.announcement(keys).keySet());
    } catch (ProcessContextException e) {
      ContextLog.warn("thread contexts are still announced: " + e.getMessage());
    }
  }
}
