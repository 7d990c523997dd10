/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.cli.local.LocalSettings;
import dev.sennit.cli.local.Place;
import dev.sennit.store.StoreSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of commands that show what they see on a page. */
final class PageOptions {
  private static final String OFF = "off";

  @Option(
      names = "--page",
      paramLabel = "ADDR",
      description =
          "Where the page is shown: a port, HOST:PORT, or off. By default localhost:7357, or any"
              + " free port if that is taken. Elsewhere than on this host it asks for a token,"
              + " which is printed.")
  private @Nullable String page;

  @Option(
      names = "--store",
      paramLabel = "FILE",
      description = "Keeps what is seen in this file. By default it is forgotten at the end.")
  private @Nullable Path store;

  LocalSettings settings() {
    LocalSettings usual = LocalSettings.temporary();
    Optional<Place> place = page == null ? usual.page() : place(page);
    return new LocalSettings(
        Optional.ofNullable(store),
        store == null ? usual.store() : StoreSettings.NAMED,
        place,
        usual.http(),
        usual.grpc());
  }

  private static Optional<Place> place(String text) {
    if (text.equals(OFF)) {
      return Optional.empty();
    }
    if (text.matches("\\d{1,5}") && Integer.parseInt(text) <= 65_535) {
      return Optional.of(
          new Place(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(text)),
              true));
    }
    @Nullable InetSocketAddress address = address(text);
    if (address == null) {
      throw CommandFailure.wrongInput(
          "--page " + text + " is neither a port, nor HOST:PORT, nor " + OFF);
    }
    if (address.isUnresolved()) {
      throw CommandFailure.wrongInput("--page " + text + ": unknown host");
    }
    return Optional.of(new Place(address, true));
  }

  private static @Nullable InetSocketAddress address(String text) {
    try {
      URI uri = URI.create("page://" + text);
      return uri.getHost() == null || uri.getPort() < 0 || !text.equals(uri.getAuthority())
          ? null
          : new InetSocketAddress(uri.getHost(), uri.getPort());
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
