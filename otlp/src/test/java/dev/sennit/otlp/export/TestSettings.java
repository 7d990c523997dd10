/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Settings as a test writes them: environment variables and system properties by name. */
final class TestSettings {
  final List<String> warnings = new ArrayList<>();
  private final Map<String, String> environment = new HashMap<>();
  private final Map<String, String> properties = new HashMap<>();

  TestSettings environment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  TestSettings property(String name, Object value) {
    properties.put(name, value.toString());
    return this;
  }

  ExportSettings read() {
    return ExportSettings.read(Signal.PROFILES, environment::get, properties::get, warnings::add);
  }
}
