/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What is kept and shown on this host: the store, the receiver of OTLP and the page, and how what
 * is observed gets there.
 */
@NullMarked
package dev.sennit.cli.local;

import org.jspecify.annotations.NullMarked;
