/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/**
 * Settings of Kafka's own, such as those of TLS and SASL: from a file of properties, and from the
 * environment, where {@code SENNIT_KAFKA_SSL_KEYSTORE_LOCATION} is {@code ssl.keystore.location}.
 * The environment wins, so that secrets need not be in files.
 */
public final class KafkaSettings {
  private static final String PREFIX = "SENNIT_KAFKA_";

  /** They are options of the command, or what makes the result right. */
  private static final Set<String> OURS =
      Set.of(
          "application.id",
          "bootstrap.servers",
          "processing.guarantee",
          "num.standby.replicas",
          "num.stream.threads",
          "state.dir",
          "auto.offset.reset",
          "isolation.level",
          "enable.idempotence",
          "enable.auto.commit");

  private KafkaSettings() {}

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException if a key is one that Sennit sets itself
   */
  public static Properties read(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(file)) {
      properties.load(in);
    }
    properties.stringPropertyNames().forEach(key -> check(key, file.toString()));
    return properties;
  }

  /** What the environment says. */
  public static Properties of(Map<String, String> environment) {
    Properties properties = new Properties();
    environment.forEach(
        (name, value) -> {
          if (name.startsWith(PREFIX) && name.length() > PREFIX.length()) {
            String key = name.substring(PREFIX.length()).toLowerCase(Locale.ROOT).replace('_', '.');
            check(key, name);
            properties.setProperty(key, value);
          }
        });
    return properties;
  }

  private static void check(String key, String where) {
    if (OURS.contains(key)) {
      throw new IllegalArgumentException(
          where + " sets " + key + ", which is not Kafka's to decide here");
    }
  }
}
