/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import dev.sennit.otlp.export.TlsFiles.NamedFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and keys from files of PEM (RFC 7468). */
final class PemFiles {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN ([A-Z ]*PRIVATE KEY)-----([^-]+)-----END \\1-----");
  private static final String[] ALGORITHMS = {"RSA", "EC", "EdDSA"};

  private PemFiles() {}

  /** Whether there is a certificate by the look of it. */
  static void requireCertificate(NamedFile file) {
    if (!text(file).contains("-----BEGIN CERTIFICATE-----")) {
      throw new IllegalArgumentException(file + " holds no certificate in PEM");
    }
  }

  /** All certificates of a file, one at least. */
  static Certificate[] certificates(NamedFile file) {
    try {
      Collection<? extends Certificate> certificates =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file.path())));
      if (certificates.isEmpty()) {
        throw new IllegalArgumentException(file + " holds no certificate");
      }
      return certificates.toArray(Certificate[]::new);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalArgumentException(file + " cannot be read as certificates: " + e, e);
    }
  }

  /** The first private key of a file. */
  static PrivateKey privateKey(NamedFile file) {
    Matcher matcher = KEY.matcher(text(file));
    if (!matcher.find()) {
      throw new IllegalArgumentException(file + " holds no private key in PEM");
    }
    if (!matcher.group(1).equals("PRIVATE KEY")) {
      throw new IllegalArgumentException(
          file
              + " holds a key of the form "
              + matcher.group(1)
              + "; convert it with: openssl pkcs8 -topk8 -nocrypt");
    }
    byte[] encoded;
    try {
      encoded = Base64.getMimeDecoder().decode(matcher.group(2));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + " holds a key that is not base64: " + e, e);
    }
    return decode(file, new PKCS8EncodedKeySpec(encoded));
  }

  private static String text(NamedFile file) {
    try {
      return Files.readString(file.path(), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new IllegalArgumentException(file + " cannot be read: " + e, e);
    }
  }

  private static PrivateKey decode(NamedFile file, PKCS8EncodedKeySpec key) {
    List<String> refusals = new ArrayList<>();
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(key);
      } catch (GeneralSecurityException e) {
        // The key names its algorithm itself; a factory of another one refuses it.
        refusals.add(algorithm + ": " + e.getMessage());
      }
    }
    throw new IllegalArgumentException(
        file + " holds a key that cannot be used: " + String.join("; ", refusals));
  }
}
