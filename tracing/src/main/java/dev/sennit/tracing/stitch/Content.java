/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import dev.sennit.otlp.AttributeValue;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an exchange was about, as numbers that are equal on both sides; 0 where a side does not
 * know.
 *
 * @param operation the method of HTTP and RPC, the operation of a database
 * @param target the path of HTTP, the summary of a query, the name that DNS was asked for
 * @param text the sanitised text of a query, which either side may have seen in part
 * @param status how it ended
 */
record Content(int operation, int target, int text, int status) {
  private static final String[] OPERATIONS = {
    "http.request.method", "rpc.method", "db.operation.name"
  };
  private static final String[] TARGETS = {
    "url.path", "db.query.summary", "dns.question.name", "db.collection.name"
  };
  private static final String[] STATUSES = {
    "http.response.status_code", "rpc.response.status_code", "db.response.status_code"
  };

  static Content of(Map<String, AttributeValue> attributes) {
    return new Content(
        first(attributes, OPERATIONS),
        attributes.get("url.full") instanceof AttributeValue.Text full
            ? hashOfPath(full.value())
            : first(attributes, TARGETS),
        hash(attributes.get("db.query.text")),
        first(attributes, STATUSES));
  }

  private static int first(Map<String, AttributeValue> attributes, String[] keys) {
    for (String key : keys) {
      int hash = hash(attributes.get(key));
      if (hash != 0) {
        return hash;
      }
    }
    return 0;
  }

  private static int hash(@Nullable AttributeValue value) {
    return switch (value) {
      case AttributeValue.Text text -> text.value().hashCode();
      case AttributeValue.Whole whole -> Long.hashCode(whole.value());
      case null, default -> 0;
    };
  }

  /** Servers say {@code url.path}, clients {@code url.full}, which holds it. */
  private static int hashOfPath(String url) {
    int scheme = url.indexOf("://");
    int begin = url.indexOf('/', scheme < 0 ? 0 : scheme + 3);
    if (begin < 0) {
      return "/".hashCode();
    }
    int hash = 0;
    for (int i = begin; i < url.length() && url.charAt(i) != '?' && url.charAt(i) != '#'; i++) {
      hash = 31 * hash + url.charAt(i);
    }
    return hash;
  }

  /** Whether it may be the same exchange. */
  boolean agrees(Content other) {
    return agree(operation, other.operation) && agree(target, other.target);
  }

  private static boolean agree(int one, int other) {
    return one == other || one == 0 || other == 0;
  }
}
