/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.web;

import dev.sennit.viewer.http.Gzip;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The files of the page, from the jar. Browsers may keep them, but ask whether they still hold. */
final class PageFiles {
  private static final String FOLDER = "/dev/sennit/viewer/page/";

  /** Names as ours are; anything else does not get near the class path. */
  private static final Pattern NAME = Pattern.compile("[a-z0-9_-]+(/[a-z0-9_-]+)*\\.[a-z]+");

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml");

  private final Map<String, PageFile> known = new ConcurrentHashMap<>();

  /** One file, ready to be sent in both forms. */
  private static final class PageFile {
    final byte[] plain;
    final byte[] compressed;
    final String type;
    final String tag;

    PageFile(byte[] bytes, String type) {
      this.plain = bytes;
      this.compressed = Gzip.compressed(bytes);
      this.type = type;
      this.tag =
          '"' + Base64.getUrlEncoder().encodeToString(Arrays.copyOf(sha256(bytes), 12)) + '"';
    }
  }

  /** Sends a file of the page; false if there is none of that name. */
  boolean send(String name, ServerRequest request, ServerResponse response) throws IOException {
    Optional<PageFile> found = find(name);
    if (found.isEmpty()) {
      return false;
    }
    PageFile file = found.get();
    response.header(HeaderNames.ETAG, file.tag);
    response.header(HeaderNames.CACHE_CONTROL, "no-cache");
    response.header(HeaderNames.VARY, "Accept-Encoding");
    if (request.headers().first(HeaderNames.IF_NONE_MATCH).orElse("").contains(file.tag)) {
      response.status(Status.NOT_MODIFIED_304).send();
      return true;
    }
    response.header(HeaderNames.CONTENT_TYPE, file.type);
    if (Gzip.isAccepted(request)) {
      response.header(HeaderNames.CONTENT_ENCODING, "gzip");
      response.send(file.compressed);
    } else {
      response.send(file.plain);
    }
    return true;
  }

  /** The text of a file that must be there. */
  byte[] bytes(String name) throws IOException {
    return find(name).orElseThrow(() -> new IOException("the page lacks " + name)).plain;
  }

  private Optional<PageFile> find(String name) throws IOException {
    @Nullable PageFile file = known.get(name);
    if (file == null && NAME.matcher(name).matches()) {
      @Nullable String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
      try (@Nullable InputStream in = PageFiles.class.getResourceAsStream(FOLDER + name)) {
        if (in != null && type != null) {
          file = new PageFile(in.readAllBytes(), type);
          known.put(name, file);
        }
      }
    }
    return Optional.ofNullable(file);
  }

  static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
