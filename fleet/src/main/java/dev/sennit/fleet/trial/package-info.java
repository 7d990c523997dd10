/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * To see the fleet's stitcher at work on one machine: hosts that are made up, with the truth about
 * what belongs together, and a broker in a process of its own. Nothing else uses it.
 */
@NullMarked
package dev.sennit.fleet.trial;

import org.jspecify.annotations.NullMarked;
