/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.web;

import dev.sennit.viewer.http.Hosts;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import java.util.Optional;

/** Lets in who may see the page, and tells browsers to trust nothing but the page. */
final class Gate implements Filter {
  private static final HeaderName POLICY = HeaderNames.create("Content-Security-Policy");
  private static final HeaderName SNIFFING = HeaderNames.create("X-Content-Type-Options");
  private static final HeaderName REFERRER = HeaderNames.create("Referrer-Policy");
  private static final HeaderName OPENER = HeaderNames.create("Cross-Origin-Opener-Policy");
  private static final HeaderName RESOURCE = HeaderNames.create("Cross-Origin-Resource-Policy");

  private final Hosts hosts;
  private final Optional<AccessToken> token;
  private final String policy;

  /**
   * @param script the hash of the one script that stands in the page itself
   */
  Gate(WebSettings settings, String script) {
    this.hosts = Hosts.of(settings.address().getAddress());
    this.token = settings.token();
    this.policy =
        String.join(
            "; ",
            "default-src 'none'",
            "script-src 'self' '" + script + "'",
            "style-src 'self'",
            "img-src 'self' data:",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'");
  }

  @Override
  public void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
    response.header(POLICY, policy);
    response.header(SNIFFING, "nosniff");
    response.header(REFERRER, "no-referrer");
    response.header(OPENER, "same-origin");
    response.header(RESOURCE, "same-origin");
    Method method = request.prologue().method();
    if (!hosts.admit(request.authority())) {
      response.status(Status.FORBIDDEN_403).send("this is not that host\n");
    } else if (!method.equals(Method.GET) && !method.equals(Method.HEAD)) {
      response.header(HeaderNames.ALLOW, "GET, HEAD");
      response.status(Status.METHOD_NOT_ALLOWED_405).send("there is nothing to change here\n");
    } else if (token.isEmpty() || hasCookie(request, token.get())) {
      chain.proceed();
    } else if (token.get().matches(request.query().first("token").orElse(null))) {
      admit(request, response, token.get());
    } else {
      response
          .status(Status.UNAUTHORIZED_401)
          .send("this page needs the token that was printed when it was started\n");
    }
  }

  private static boolean hasCookie(RoutingRequest request, AccessToken token) {
    return token.matches(request.headers().cookies().first(cookie(request)).orElse(null));
  }

  /** Puts the secret into a cookie and takes it out of the address, which people copy. */
  private static void admit(RoutingRequest request, RoutingResponse response, AccessToken token) {
    response.header(
        HeaderNames.SET_COOKIE,
        cookie(request) + "=" + token.text() + "; Path=/; HttpOnly; SameSite=Strict");
    response.header(HeaderNames.LOCATION, request.prologue().uriPath().rawPath());
    response.status(Status.SEE_OTHER_303).send();
  }

  /** Cookies do not know of ports; two servers on one host each need their own. */
  private static String cookie(RoutingRequest request) {
    return "sennit-" + request.localPeer().port();
  }
}
