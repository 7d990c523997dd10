/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What the views of the page ask for: each class answers one path from the store.
 *
 * <p>Times are milliseconds since 1970 with a fraction, for scripts have no larger whole numbers;
 * durations are nanoseconds. Lists say with {@code more} that they were cut.
 */
@NullMarked
package dev.sennit.viewer.view;

import org.jspecify.annotations.NullMarked;
