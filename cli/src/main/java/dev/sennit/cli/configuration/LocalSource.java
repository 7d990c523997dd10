/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.configuration;

import dev.sennit.cli.local.LocalSettings;
import dev.sennit.cli.local.Place;
import dev.sennit.store.StoreSettings;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/** What the file says of what is kept and shown on this host. */
public final class LocalSource {
  private static final String OFF = "off";

  private LocalSource() {}

  /**
   * The settings, or nothing if nothing is to be kept.
   *
   * @param usualFile where the store is if the file does not say it
   */
  public static Optional<LocalSettings> read(Configuration configuration, Path usualFile)
      throws ConfigurationException {
    if (!configuration.get(LocalKeys.STORE_ENABLED)) {
      return Optional.empty();
    }
    Path file = configuration.find(LocalKeys.STORE_FILE).map(Path::of).orElse(usualFile);
    return Optional.of(
        new LocalSettings(
            Optional.of(file),
            StoreSettings.NAMED
                .withMaxBytes(configuration.get(LocalKeys.STORE_SIZE))
                .withMaxAge(configuration.get(LocalKeys.STORE_AGE)),
            configuration.get(LocalKeys.PAGE_LISTEN).equals(OFF)
                ? Optional.empty()
                : Optional.of(place(configuration, LocalKeys.PAGE_LISTEN)),
            receiver(configuration, LocalKeys.RECEIVE_HTTP),
            receiver(configuration, LocalKeys.RECEIVE_GRPC)));
  }

  /** Whether two configurations say the same of it. */
  public static boolean isSame(Configuration one, Configuration other) {
    return LocalKeys.LIST.keys().stream().allMatch(key -> one.find(key).equals(other.find(key)));
  }

  /** Sennit's own agents need one, so where none is wanted nobody is told of it. */
  private static Place receiver(Configuration configuration, Key<String> key)
      throws ConfigurationException {
    return configuration.get(key).equals(OFF) ? Place.preferably(0) : place(configuration, key);
  }

  private static Place place(Configuration configuration, Key<String> key)
      throws ConfigurationException {
    URI uri = URI.create("place://" + configuration.get(key));
    InetSocketAddress address = new InetSocketAddress(uri.getHost(), uri.getPort());
    if (address.isUnresolved()) {
      throw new ConfigurationException(configuration.place(key), uri.getHost() + " is unknown");
    }
    return new Place(address, configuration.isSet(key));
  }
}
