/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The files of PEM that a connection by TLS goes by; null where the JDK's own trust or no client
 * certificate is meant.
 *
 * @param certificate whom to trust
 * @param clientKey our key, where the collector asks who we are
 * @param clientCertificate our certificate, and those that vouch for it
 */
public record TlsFiles(
    @Nullable NamedFile certificate,
    @Nullable NamedFile clientKey,
    @Nullable NamedFile clientCertificate) {

  static final TlsFiles NONE = new TlsFiles(null, null, null);

  /** A file and the setting that named it, for messages. */
  public record NamedFile(String setting, Path path) {
    @Override
    public String toString() {
      return setting + "=" + path;
    }
  }
}
