/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** What an agent that profiles costs the application that it is in. */
@NullMarked
package dev.sennit.bench.agent;

import org.jspecify.annotations.NullMarked;
