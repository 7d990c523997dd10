/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Serves the page, what it asks for and what happens meanwhile, to people who may see it. */
@NullMarked
package dev.sennit.viewer.web;

import org.jspecify.annotations.NullMarked;
