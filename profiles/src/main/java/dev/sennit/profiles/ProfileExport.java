/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.otlp.AttributeValue;
import dev.sennit.profiles.dictionary.ProfilesDictionary;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is written as one: profiles of one resource and one scope with the dictionary that they were
 * made with. The order of the resource attributes is kept; empty strings are not written.
 */
public record ProfileExport(
    Map<String, AttributeValue> resource,
    String scopeName,
    String scopeVersion,
    String schemaUrl,
    List<Profile> profiles,
    ProfilesDictionary dictionary) {
  public ProfileExport {
    if (profiles.isEmpty()) {
      throw new IllegalArgumentException(
          "there is no profile to write; a scope needs one at least");
    }
    resource = Collections.unmodifiableMap(new LinkedHashMap<>(resource));
    profiles = List.copyOf(profiles);
  }
}
