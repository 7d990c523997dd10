/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What takes the samples: async-profiler, or JDK Flight Recorder where that cannot be had. An
 * engine records; what becomes of the recordings is not its business.
 */
@NullMarked
package dev.sennit.agent.engine;

import org.jspecify.annotations.NullMarked;
