/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.association;

import dev.sennit.context.thread.ContextObserver;

/**
 * Writes into a recording which span its samples belong to, while contexts change. One serves one
 * session of profiling.
 */
public interface Association extends ContextObserver {
  /**
   * Writes down the contexts that are open now, right before a part of the recording ends: no
   * change has told of them yet.
   *
   * @return how many there are
   */
  int recordOpenContexts();

  /** What it has done so far, for people. */
  String status();
}
