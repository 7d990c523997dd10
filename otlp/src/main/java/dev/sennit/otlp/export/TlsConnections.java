/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hc.core5.http.nio.ssl.TlsStrategy;
import org.apache.hc.core5.http2.ssl.H2ClientTlsStrategy;
import org.jspecify.annotations.Nullable;

/** How a connection by TLS is made: whom it trusts, and who it says it is. */
final class TlsConnections {
  private static final char[] NO_PASSWORD = {};

  private TlsConnections() {}

  /**
   * Looks at the files without decoding a certificate: at the first one the JDK asks for a logger
   * and thereby sets up {@code java.util.logging}, where that has a configuration file. This may be
   * the start of an application, which has not done so itself yet.
   *
   * @throws IllegalArgumentException naming the setting, if a file cannot be meant
   */
  static void check(TlsFiles files) {
    if (files.certificate() != null) {
      PemFiles.requireCertificate(files.certificate());
    }
    if (files.clientKey() != null && files.clientCertificate() != null) {
      PemFiles.privateKey(files.clientKey());
      PemFiles.requireCertificate(files.clientCertificate());
    }
  }

  /**
   * @throws IllegalArgumentException naming the setting, if a file cannot be used
   */
  static TlsStrategy strategy(TlsFiles files) {
    return new H2ClientTlsStrategy(
        context(files),
        (endpoint, engine) -> {
          // The library leaves it to its callers to want the name in the certificate checked.
          SSLParameters parameters = engine.getSSLParameters();
          parameters.setEndpointIdentificationAlgorithm("HTTPS");
          engine.setSSLParameters(parameters);
        },
        null);
  }

  private static SSLContext context(TlsFiles files) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keyManagers(files), trustManagers(files), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException("TLS cannot be set up with " + files + ": " + e, e);
    }
  }

  /** Null means the JDK's own. */
  private static TrustManager @Nullable [] trustManagers(TlsFiles files)
      throws GeneralSecurityException, IOException {
    if (files.certificate() == null) {
      return null;
    }
    KeyStore store = emptyStore();
    int number = 0;
    for (Certificate certificate : PemFiles.certificates(files.certificate())) {
      store.setCertificateEntry("trusted-" + number++, certificate);
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }

  private static KeyManager @Nullable [] keyManagers(TlsFiles files)
      throws GeneralSecurityException, IOException {
    if (files.clientKey() == null || files.clientCertificate() == null) {
      return null;
    }
    KeyStore store = emptyStore();
    store.setKeyEntry(
        "client",
        PemFiles.privateKey(files.clientKey()),
        NO_PASSWORD,
        PemFiles.certificates(files.clientCertificate()));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, NO_PASSWORD);
    return factory.getKeyManagers();
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }
}
