/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.http;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/** Compressed responses for clients that accept them. */
public final class Gzip {
  /** Less is not worth it. */
  private static final int LEAST = 512;

  private Gzip() {}

  /** The bytes to send: compressed, and named so in the headers, where client and size allow. */
  public static byte[] ifAccepted(ServerRequest request, ServerResponse response, byte[] bytes) {
    if (bytes.length < LEAST || !isAccepted(request)) {
      return bytes;
    }
    response.header(HeaderNames.CONTENT_ENCODING, "gzip");
    response.header(HeaderNames.VARY, "Accept-Encoding");
    return compressed(bytes);
  }

  /** Whether a client says that it takes gzip, and not that it does so with quality 0. */
  public static boolean isAccepted(ServerRequest request) {
    for (String value : request.headers().all(HeaderNames.ACCEPT_ENCODING, List::of)) {
      for (String choice : value.split(",", -1)) {
        String[] parts = choice.strip().toLowerCase(Locale.ROOT).split("\\s*;\\s*q=", 2);
        if (parts[0].equals("gzip") && (parts.length == 1 || !parts[1].matches("0(\\.0*)?"))) {
          return true;
        }
      }
    }
    return false;
  }

  public static byte[] compressed(byte[] bytes) {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return compressed.toByteArray();
  }
}
