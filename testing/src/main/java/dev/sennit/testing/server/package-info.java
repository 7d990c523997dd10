/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Real servers of the machine, each started for a test on a free port of loopback with its data in
 * a folder of its own, and ended by it.
 */
@NullMarked
package dev.sennit.testing.server;

import org.jspecify.annotations.NullMarked;
