/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.services;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** The key of a service that is to speak HTTPS, by the properties that Spring Boot has for it. */
final class Keys {
  private Keys() {}

  /** What to serve with; nothing if it is to serve without TLS. */
  static Optional<SSLContext> ofServer() {
    return keyManagers()
        .map(
            keys -> {
              try {
                SSLContext context = SSLContext.getInstance("TLS");
                context.init(keys.getKeyManagers(), null, null);
                return context;
              } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
              }
            });
  }

  static Optional<KeyManagerFactory> keyManagers() {
    String file = System.getProperty("server.ssl.key-store");
    if (file == null) {
      return Optional.empty();
    }
    char[] password = System.getProperty("server.ssl.key-store-password", "").toCharArray();
    try (InputStream in = new FileInputStream(file)) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, password);
      KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
      keys.init(store, password);
      return Optional.of(keys);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(file, e);
    }
  }
}
