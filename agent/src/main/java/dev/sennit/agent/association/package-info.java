/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Which span was current on a thread when a sample was taken there. It is told of every change of a
 * context and leaves the rest to the recording, so it may use contexts and the engines' own events.
 * It must never block or throw: it runs in the middle of the application.
 */
@NullMarked
package dev.sennit.agent.association;

import org.jspecify.annotations.NullMarked;
