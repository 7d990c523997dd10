/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http;

import java.util.Set;

/**
 * Takes out of a query what gives access to something. The keys are those that the semantic
 * conventions name (url.query); they are compared as they are written.
 */
final class QueryRedaction {
  static final String REDACTED = "REDACTED";
  private static final Set<String> SECRETS =
      Set.of("AWSAccessKeyId", "Signature", "sig", "X-Goog-Signature");

  private QueryRedaction() {}

  static String of(String query) {
    StringBuilder result = null;
    int copied = 0;
    for (int start = 0; start < query.length(); ) {
      int end = query.indexOf('&', start);
      end = end < 0 ? query.length() : end;
      int equals = query.indexOf('=', start);
      if (equals >= 0 && equals < end && SECRETS.contains(query.substring(start, equals))) {
        result = result == null ? new StringBuilder() : result;
        result.append(query, copied, equals + 1).append(REDACTED);
        copied = end;
      }
      start = end + 1;
    }
    return result == null ? query : result.append(query, copied, query.length()).toString();
  }
}
