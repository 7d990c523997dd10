/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http;

import dev.sennit.tracing.traffic.TraceIds;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request, of whichever version of HTTP, as far as something is said of it. What is
 * not asked for here is forgotten at once.
 */
public final class RequestHead {
  private final String version;
  private String method = "";
  private String target = "";
  private @Nullable String scheme;
  private @Nullable String authority;
  private @Nullable String host;
  private @Nullable String userAgent;
  private @Nullable TraceIds carried;
  private int traceparents;

  /**
   * @param version as {@code network.protocol.version} has it: 1.0, 1.1, 2
   */
  public RequestHead(String version) {
    this.version = version;
  }

  /** Takes a header field, or one of the pseudo fields of HTTP/2. */
  public void field(String name, String value) {
    switch (name.toLowerCase(Locale.ROOT)) {
      case ":method" -> method = value;
      case ":path" -> target = value;
      case ":scheme" -> scheme = value;
      case ":authority" -> authority = value;
      case "host" -> host = value;
      case "user-agent" -> userAgent = value;
      case "traceparent" -> {
        // A second one makes both invalid: nobody knows which of them counts.
        traceparents++;
        carried = traceparents == 1 ? TraceIds.parse(value) : null;
      }
      default -> {}
    }
  }

  /** A context that came by another field, which counts where there is no traceparent. */
  public void otherContext(@Nullable TraceIds ids) {
    if (traceparents == 0) {
      carried = ids;
    }
  }

  public String version() {
    return version;
  }

  public String method() {
    return method;
  }

  public String target() {
    return target;
  }

  @Nullable String scheme() {
    return scheme;
  }

  @Nullable String authority() {
    return authority != null && !authority.isEmpty() ? authority : host;
  }

  @Nullable String userAgent() {
    return userAgent;
  }

  public @Nullable TraceIds carried() {
    return carried;
  }
}
