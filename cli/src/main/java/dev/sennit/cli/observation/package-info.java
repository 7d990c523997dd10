/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The wiring of an observation: what the kernel tells goes through {@code tracing} and out by OTLP.
 * Here the modules meet that know nothing of each other.
 */
@NullMarked
package dev.sennit.cli.observation;

import org.jspecify.annotations.NullMarked;
