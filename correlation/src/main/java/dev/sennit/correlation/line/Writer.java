/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.line;

/**
 * A thread with a descriptor that it writes to. Threads that share a descriptor write their parts
 * of lines in between one another's; each one's go together.
 */
record Writer(int pid, int tid, int descriptor) {}
