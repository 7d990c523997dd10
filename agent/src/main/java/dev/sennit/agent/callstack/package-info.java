/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Call stacks of all threads at fixed intervals, sent as OTLP logs in Splunk's conventions. It may
 * use contexts and OTLP. It must never stop the application for longer than one thread dump takes,
 * nor name a span of which it is not certain.
 */
@NullMarked
package dev.sennit.agent.callstack;

import org.jspecify.annotations.NullMarked;
