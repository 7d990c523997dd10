/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import dev.sennit.otlp.BuildVersion;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.message.BasicHttpRequest;

/** What requests of both protocols have in common. */
final class Requests {
  private static final String USER_AGENT = userAgent();

  private Requests() {}

  /** A request with the user's headers; those of the protocol are the caller's. */
  static HttpRequest post(HttpTransport transport, String path, ExportSettings settings) {
    HttpRequest request = new BasicHttpRequest("POST", transport.host(), path);
    request.setHeader("user-agent", USER_AGENT);
    settings.headers().forEach(request::setHeader);
    return request;
  }

  /** Writes {@code message}, compressed. */
  static void gzip(byte[] message, ByteArrayOutputStream target) {
    try (OutputStream gzip = new FastGzip(target)) {
      gzip.write(message);
    } catch (IOException e) {
      throw new UncheckedIOException("compressing in memory", e);
    }
  }

  /** What it means that no answer came. */
  static SendResult unanswered(NoAnswerException failure) {
    String reason = String.valueOf(failure.getMessage());
    return failure.isRequestComplete()
        ? new SendResult.Unknown(reason)
        : new SendResult.Retry(reason, Optional.empty());
  }

  /** OTLP exporter specification, "User Agent". */
  private static String userAgent() {
    return "Sennit-OTLP-Exporter-Java"
        + BuildVersion.of(Requests.class).map(version -> "/" + version).orElse("");
  }

  /** In somebody else's process time is dearer than the last tenth of the size. */
  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(OutputStream target) throws IOException {
      super(target, 8192);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
