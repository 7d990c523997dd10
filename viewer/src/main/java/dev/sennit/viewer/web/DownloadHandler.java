/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.web;

import dev.sennit.viewer.http.Gzip;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;

/** Sends a file that a browser is to keep, never to show as a page of ours. */
final class DownloadHandler implements Handler {
  private static final HeaderName DISPOSITION = HeaderNames.create("Content-Disposition");

  private final Download download;

  DownloadHandler(Download download) {
    this.download = download;
  }

  @Override
  public void handle(ServerRequest request, ServerResponse response) {
    Download.Content content;
    try {
      content = download.content(ViewHandler.query(request));
    } catch (ViewException e) {
      ViewHandler.refuse(response, e.status(), e.text());
      return;
    } catch (IOException | RuntimeException e) {
      ViewHandler.refuse(response, 500, download.path() + " cannot be made: " + e);
      return;
    }
    response.header(HeaderNames.CONTENT_TYPE, content.type());
    response.header(DISPOSITION, "attachment; filename=\"" + plain(content.name()) + "\"");
    response.header(HeaderNames.CACHE_CONTROL, "no-store");
    response.send(Gzip.ifAccepted(request, response, content.bytes()));
  }

  /** Names hold what strangers chose. */
  private static String plain(String name) {
    return name.replaceAll("[^A-Za-z0-9._-]", "_");
  }
}
