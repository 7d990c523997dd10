/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.web;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.util.concurrent.Semaphore;

/** Keeps the response open for as long as a live view has something to tell. */
final class LiveViewHandler implements Handler {
  /** For one view. A browser keeps one for each of its windows. */
  private static final int LISTENERS = 32;

  private final LiveView view;
  private final Semaphore listeners = new Semaphore(LISTENERS);

  LiveViewHandler(LiveView view) {
    this.view = view;
  }

  @Override
  public void handle(ServerRequest request, ServerResponse response) {
    if (!listeners.tryAcquire()) {
      ViewHandler.refuse(response, 503, LISTENERS + " windows show " + view.path() + " already");
      return;
    }
    try {
      tell(request, response);
    } finally {
      listeners.release();
    }
  }

  private void tell(ServerRequest request, ServerResponse response) {
    Events events =
        new Events(
            () -> {
              response.header(HeaderNames.CONTENT_TYPE, "text/event-stream");
              response.header(HeaderNames.CACHE_CONTROL, "no-store");
              return response.outputStream();
            });
    try {
      view.run(ViewHandler.query(request), events);
      events.end();
    } catch (ViewException e) {
      ViewHandler.refuse(response, e.status(), e.text());
    } catch (IOException | RuntimeException e) {
      if (events.isOpen()) {
        throw new CloseConnectionException("the listener has gone", e);
      }
      ViewHandler.refuse(response, 500, view.path() + " cannot be shown: " + e);
    } catch (InterruptedException e) {
      throw new CloseConnectionException("the server is closing", e);
    }
  }
}
