/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * OTLP as it comes from others: requests in protobuf and in JSON become the messages that
 * OpenTelemetry's own classes describe, and go to whoever takes them. It uses nothing else of
 * Sennit. It must never be part of the agent, in whose processes such classes would be a burden.
 */
@NullMarked
package dev.sennit.intake;

import org.jspecify.annotations.NullMarked;
