/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The file that says what Sennit observes and how: every key that it may have, its reading, and
 * what the other packages are told of it. Nothing here acts; what is wrong is said in one line.
 */
@NullMarked
package dev.sennit.cli.configuration;

import org.jspecify.annotations.NullMarked;
