/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What is said of SQL, whatever the database: its text without literals, and its summary. Nothing
 * here fails, whatever the text is, and it takes time in proportion to its length.
 */
@NullMarked
package dev.sennit.tracing.protocol.sql;

import org.jspecify.annotations.NullMarked;
