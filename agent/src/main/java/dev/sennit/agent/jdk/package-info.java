/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Everything that depends on the inside of the JDK and not on its interfaces. Each class says what
 * it expects, checks it, and does without where it is not so.
 */
@NullMarked
package dev.sennit.agent.jdk;

import org.jspecify.annotations.NullMarked;
