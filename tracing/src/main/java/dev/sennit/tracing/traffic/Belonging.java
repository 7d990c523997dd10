/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.traffic;

/**
 * The span that bytes belong to which a thread writes.
 *
 * @param span its ids
 * @param published whether the thread itself published the span, as an SDK does; otherwise it is
 *     the span of the request that the thread serves
 */
public record Belonging(TraceIds span, boolean published) {}
