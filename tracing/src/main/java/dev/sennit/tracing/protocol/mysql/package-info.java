/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** MySQL and MariaDB: {@code docs/protocols/mysql.md}. */
@NullMarked
package dev.sennit.tracing.protocol.mysql;

import org.jspecify.annotations.NullMarked;
