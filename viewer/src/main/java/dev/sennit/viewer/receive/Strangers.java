/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import dev.sennit.viewer.http.Hosts;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;

/**
 * Keeps pages in people's browsers from writing here: every browser says with a POST where the page
 * came from, which no exporter does, and calls the server by the name that it looked up.
 */
final class Strangers {
  private final Hosts hosts;

  Strangers(Hosts hosts) {
    this.hosts = hosts;
  }

  void check(ServerRequest request) throws RefusedException {
    if (request.headers().contains(HeaderNames.ORIGIN)) {
      throw Refusal.FORBIDDEN.because("requests of web pages are not taken");
    }
    String authority = request.authority();
    if (!hosts.admit(authority)) {
      throw Refusal.FORBIDDEN.because("this is not the host " + authority);
    }
  }
}
