/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.web;

import dev.sennit.viewer.http.Addresses;
import dev.sennit.viewer.http.Listener;
import dev.sennit.viewer.http.ListenerLimits;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Set;

/** Serves the page, its files and the views behind it. */
public final class WebServer implements AutoCloseable {
  private static final ListenerLimits LIMITS =
      new ListenerLimits(128, 64 << 10, Duration.ofMinutes(10), Duration.ofMillis(200));

  /** What addresses of the page begin with; each is the page, which then shows the right view. */
  private static final Set<String> ROUTES =
      Set.of("", "overview", "traces", "profiles", "logs", "processes");

  private final WebSettings settings;
  private final Listener listener;

  private WebServer(WebSettings settings, Listener listener) {
    this.settings = settings;
    this.listener = listener;
  }

  /**
   * Begins to serve.
   *
   * @throws IOException naming the address, if it cannot be listened on
   */
  public static WebServer start(WebSettings settings, Site site) throws IOException {
    PageFiles files = new PageFiles();
    HttpRouting.Builder routing = HttpRouting.builder();
    routing.addFilter(new Gate(settings, ImportMap.hash(files.bytes("index.html"))));
    site.live().forEach(live -> routing.any("/api/live/" + live.path(), new LiveViewHandler(live)));
    site.downloads().forEach(file -> routing.any("/api/" + file.path(), new DownloadHandler(file)));
    site.views().forEach(view -> routing.any("/api/" + view.path(), new ViewHandler(view)));
    routing.any((request, response) -> servePage(files, request, response));
    return new WebServer(settings, Listener.start("the page", settings.address(), routing, LIMITS));
  }

  private static void servePage(PageFiles files, ServerRequest request, ServerResponse response)
      throws IOException {
    String path = request.prologue().uriPath().path().substring(1);
    int slash = path.indexOf('/');
    String first = slash < 0 ? path : path.substring(0, slash);
    if (first.equals("api")) {
      ViewHandler.refuse(response, 404, "there is no " + request.prologue().uriPath().path());
    } else if (!files.send(ROUTES.contains(first) ? "index.html" : path, request, response)) {
      response.status(Status.NOT_FOUND_404).send("there is nothing here\n");
    }
  }

  /** The address with the port that it has in fact. */
  public InetSocketAddress address() {
    return listener.address();
  }

  /** What to open in a browser; with the token, if one is needed. */
  public URI link() {
    String query = settings.token().map(token -> "?token=" + token.text()).orElse("");
    return URI.create(Addresses.url(address()) + "/" + query);
  }

  @Override
  public void close() {
    listener.close();
  }
}
