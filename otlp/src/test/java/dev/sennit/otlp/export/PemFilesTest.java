/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sennit.otlp.export.TlsFiles.NamedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates and keys in PEM, and what is said when they are not. */
class PemFilesTest {
  @TempDir private Path folder;

  private NamedFile file(String content) throws IOException {
    return new NamedFile("SETTING", Files.writeString(folder.resolve("file.pem"), content));
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC", "Ed25519"})
  void aKeyOfAnyKindIsReadFromTheMidstOfAFile(String algorithm)
      throws IOException, NoSuchAlgorithmException {
    PrivateKey key = KeyPairGenerator.getInstance(algorithm).generateKeyPair().getPrivate();
    String pem =
        "Bag Attributes\n-----BEGIN PRIVATE KEY-----\n"
            + Base64.getMimeEncoder().encodeToString(key.getEncoded())
            + "\n-----END PRIVATE KEY-----\n";
    assertThat(PemFiles.privateKey(file(pem))).isEqualTo(key);
  }

  @Test
  void aKeyInAnOldFormIsRefusedWithTheWayOut() throws IOException {
    NamedFile file = file("-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PemFiles.privateKey(file))
        .withMessageStartingWith("SETTING=" + file.path())
        .withMessageContaining("RSA PRIVATE KEY")
        .withMessageContaining("openssl pkcs8 -topk8 -nocrypt");
  }

  @Test
  void aFileWithoutAKeyIsNamed() throws IOException {
    NamedFile file = file("hello");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PemFiles.privateKey(file))
        .withMessage(file + " holds no private key in PEM");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PemFiles.requireCertificate(file))
        .withMessage(file + " holds no certificate in PEM");
  }

  @Test
  void aFileThatIsNotThereIsNamedWhenTheSenderIsMade() {
    ExportSettings settings =
        new TestSettings()
            .property("sennit.otlp.endpoint", "https://localhost:1")
            .property("sennit.otlp.certificate", folder.resolve("none.pem"))
            .read();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OtlpSender.create(settings))
        .withMessageStartingWith("sennit.otlp.certificate=" + folder.resolve("none.pem"));
  }
}
