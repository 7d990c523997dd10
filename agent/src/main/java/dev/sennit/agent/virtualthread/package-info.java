/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Follows virtual threads from carrier to carrier, so that a carrier's record tells the truth. It
 * may use contexts and the ClassFile API. It must never throw, block or allocate while a thread is
 * mounted or unmounted.
 */
@NullMarked
package dev.sennit.agent.virtualthread;

import org.jspecify.annotations.NullMarked;
