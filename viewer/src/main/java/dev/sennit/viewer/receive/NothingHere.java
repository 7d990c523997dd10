/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import io.helidon.http.Status;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

/** Answers what is asked of no service. */
final class NothingHere implements Handler {
  @Override
  public void handle(ServerRequest request, ServerResponse response) {
    String path = request.prologue().uriPath().rawPath();
    if (GrpcExport.isCall(request)) {
      GrpcExport.refuse(response, Refusal.UNKNOWN.because("unknown method " + path));
    } else {
      response.status(Status.NOT_FOUND_404).send("nothing is received here\n");
    }
  }
}
