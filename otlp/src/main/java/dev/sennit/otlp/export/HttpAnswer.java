/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.util.List;
import java.util.Optional;
import org.apache.hc.core5.http.Header;

/** The answer to a request over HTTP. */
final class HttpAnswer {
  private final int status;
  private final List<Header> headers;
  private final byte[] body;

  /**
   * @param headers those before the body and, where the protocol has them, those after it
   */
  HttpAnswer(int status, List<Header> headers, byte[] body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  int status() {
    return status;
  }

  /** The value of the last header of that name: what came after the body wins. */
  Optional<String> header(String name) {
    for (Header header : headers.reversed()) {
      if (header.getName().equalsIgnoreCase(name)) {
        return Optional.of(header.getValue());
      }
    }
    return Optional.empty();
  }

  byte[] body() {
    return body;
  }
}
