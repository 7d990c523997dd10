/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.tls;

import dev.sennit.agent.handoff.Relay;
import dev.sennit.context.thread.ContextSnapshot;
import java.net.http.HttpHeaders;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The headers of a request that {@code HttpClient} sends by HTTP/2, among those of others and by
 * whichever thread comes by: nobody sees from outside whose it is.
 */
final class RequestHeaders {
  private static final String TRACEPARENT = "traceparent";

  /** The same, and {@code traceparent} where there is none and the thread has a context. */
  Object sending(Object given) {
    HttpHeaders headers = (HttpHeaders) given;
    ContextSnapshot context = new ContextSnapshot();
    if (!Relay.take(context) || headers.firstValue(TRACEPARENT).isPresent()) {
      return headers;
    }
    Map<String, List<String>> more = new HashMap<>(headers.map());
    more.put(TRACEPARENT, List.of(TraceparentLine.value(context)));
    return HttpHeaders.of(more, (_, _) -> true);
  }
}
