/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.web;

import java.util.Optional;
import java.util.function.Function;

/** What a request for a view asks: the parts of its path and its parameters. */
public final class Query {
  private static final int LONGEST = 4096;

  private final Function<String, Optional<String>> parts;
  private final Function<String, Optional<String>> parameters;

  Query(Function<String, Optional<String>> parts, Function<String, Optional<String>> parameters) {
    this.parts = parts;
    this.parameters = parameters;
  }

  /** A part of the path, by its name between braces. */
  public String part(String name) {
    return parts
        .apply(name)
        .orElseThrow(() -> new IllegalArgumentException("the path has no part " + name));
  }

  /** A parameter, if it is there and not empty. */
  public Optional<String> text(String name) throws ViewException {
    Optional<String> value = parameters.apply(name).filter(text -> !text.isEmpty());
    if (value.isPresent() && value.get().length() > LONGEST) {
      throw ViewException.wrong(
          name + " has " + value.get().length() + " characters, but may have " + LONGEST);
    }
    return value;
  }

  /** A whole number within bounds, or the usual one if there is none. */
  public long number(String name, long least, long most, long usual) throws ViewException {
    Optional<String> text = text(name);
    if (text.isEmpty()) {
      return usual;
    }
    try {
      long number = Long.parseLong(text.get());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, with the bounds.
    }
    throw ViewException.wrong(
        name + " is " + text.get() + ", but must be a number from " + least + " to " + most);
  }
}
