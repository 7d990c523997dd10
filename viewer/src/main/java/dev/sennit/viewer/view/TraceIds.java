/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import dev.sennit.viewer.web.Query;
import dev.sennit.viewer.web.ViewException;
import java.util.Locale;
import java.util.regex.Pattern;

/** The ids that stand in a path. */
final class TraceIds {
  private static final Pattern TRACE = Pattern.compile("[0-9a-f]{32}");
  private static final Pattern SPAN = Pattern.compile("[0-9a-f]{16}");

  private TraceIds() {}

  static String trace(Query query) throws ViewException {
    String id = query.part("id").toLowerCase(Locale.ROOT);
    if (!TRACE.matcher(id).matches()) {
      throw ViewException.wrong(
          "the id of a trace has 32 hexadecimal digits, but this is " + query.part("id"));
    }
    return id;
  }

  static String span(Query query) throws ViewException {
    String id = query.part("span").toLowerCase(Locale.ROOT);
    if (!SPAN.matcher(id).matches()) {
      throw ViewException.wrong(
          "the id of a span has 16 hexadecimal digits, but this is " + query.part("span"));
    }
    return id;
  }

  static ViewException missing(String traceId) {
    return ViewException.missing(
        "there is no trace " + traceId + "; it has not come yet, or is too old to be kept");
  }
}
