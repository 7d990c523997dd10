/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The shop's services in Java, each a program of its own. They know nothing of traces: whatever is
 * seen of them is seen from outside.
 */
@NullMarked
package dev.sennit.cli.demo.shop;

import org.jspecify.annotations.NullMarked;
