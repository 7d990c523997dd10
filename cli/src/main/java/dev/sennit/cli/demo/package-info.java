/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** A small shop to look at: its services, its customers, and a check of what was seen of them. */
@NullMarked
package dev.sennit.cli.demo;

import org.jspecify.annotations.NullMarked;
