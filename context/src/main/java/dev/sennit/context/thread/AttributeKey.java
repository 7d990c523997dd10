/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

/**
 * A key that readers have been told of, by its place in the key map. Made by {@link
 * ContextApi#announce}.
 *
 * @param name for example {@code http.route}
 * @param index its place in {@code threadlocal.attribute_key_map}
 */
public record AttributeKey(String name, int index) {}
