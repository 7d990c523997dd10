/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Where copies of these classes meet: an agent, an extension and an application may each bring
 * their own, in class loaders that know nothing of each other, and the process has one set of
 * records. What they exchange has types of the JDK alone.
 */
@NullMarked
package dev.sennit.context.shared;

import org.jspecify.annotations.NullMarked;
