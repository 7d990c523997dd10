/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What reading a program's log costs the program: Logback at a pace and as fast as it can, alone
 * and under {@code sennit run} with a collector on the same machine.
 */
@NullMarked
package dev.sennit.bench.logs;

import org.jspecify.annotations.NullMarked;
