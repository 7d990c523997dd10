/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The only classes of the agent that an application can see: they open the rest of the jar as a
 * module in a layer of its own, and hand over. They may use the JDK alone, and no more of it than
 * Java 11 has, so that an older JVM gets a line of text and not an error. They must never throw.
 */
@NullMarked
package dev.sennit.agent.boot;

import org.jspecify.annotations.NullMarked;
