/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.web;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sennit.viewer.http.Gzip;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** Answers with the document of a view, or with an object that says what is wrong. */
final class ViewHandler implements Handler {
  private final View view;

  ViewHandler(View view) {
    this.view = view;
  }

  @Override
  public void handle(ServerRequest request, ServerResponse response) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = Json.generator(bytes)) {
      view.write(query(request), out);
    } catch (ViewException e) {
      refuse(response, e.status(), e.text());
      return;
    } catch (IOException | RuntimeException e) {
      refuse(response, 500, view.path() + " cannot be shown: " + e);
      return;
    }
    response.header(HeaderNames.CONTENT_TYPE, "application/json");
    response.header(HeaderNames.CACHE_CONTROL, "no-store");
    response.send(Gzip.ifAccepted(request, response, bytes.toByteArray()));
  }

  static Query query(ServerRequest request) {
    return new Query(
        name -> request.path().pathParameters().first(name).asOptional(),
        name -> request.query().first(name).asOptional());
  }

  static void refuse(ServerResponse response, int status, String text) {
    response.status(Status.create(status));
    response.header(HeaderNames.CONTENT_TYPE, "application/json");
    response.header(HeaderNames.CACHE_CONTROL, "no-store");
    response.send(Json.error(text));
  }
}
