/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What runs inside a JVM that is not ours: it profiles, knows the span of every sample, and ships
 * both. It may use contexts, profiles and OTLP. It must never throw into the application, print on
 * its output, touch its logging, or keep it from ending.
 */
@NullMarked
package dev.sennit.agent;

import org.jspecify.annotations.NullMarked;
