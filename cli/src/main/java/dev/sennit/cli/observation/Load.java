/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import java.time.Duration;

/**
 * How much there is to do.
 *
 * @param connections that are followed
 * @param heldBytes that wait to be understood
 * @param lag how old an event was when it was taken, at the last look
 */
public record Load(int connections, long heldBytes, Duration lag) {}
