/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.local;

import dev.sennit.store.StoreSettings;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What is kept, and where it is received and shown.
 *
 * @param file of the store; without one it is temporary
 * @param page where it is shown; without one it is kept only
 * @param http where OTLP comes over HTTP
 * @param grpc where OTLP comes over gRPC
 */
public record LocalSettings(
    Optional<Path> file, StoreSettings store, Optional<Place> page, Place http, Place grpc) {
  /** As good as any, and the same every time, so that a browser's history finds it. */
  public static final int PAGE_PORT = 7357;

  private static final int HTTP_PORT = 4318;
  private static final int GRPC_PORT = 4317;

  /** For as long as a command runs, on this host only. */
  public static LocalSettings temporary() {
    return new LocalSettings(
        Optional.empty(),
        StoreSettings.TEMPORARY,
        Optional.of(Place.preferably(PAGE_PORT)),
        Place.preferably(HTTP_PORT),
        Place.preferably(GRPC_PORT));
  }

  public LocalSettings withPage(Optional<Place> newPage) {
    return new LocalSettings(file, store, newPage, http, grpc);
  }
}
