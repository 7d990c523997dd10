/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sennit.store.query.Page;
import dev.sennit.store.query.TraceQueries;
import dev.sennit.viewer.web.Query;
import dev.sennit.viewer.web.View;
import dev.sennit.viewer.web.ViewException;
import java.io.IOException;

/** Which spans of a trace contain a text, also in what the page does not have of them. */
final class TraceFindView implements View {
  private static final int MOST = 50_000;

  private final TraceQueries traces;

  TraceFindView(TraceQueries traces) {
    this.traces = traces;
  }

  @Override
  public String path() {
    return "traces/{id}/find";
  }

  @Override
  public void write(Query query, JsonGenerator out) throws IOException, ViewException {
    String id = TraceIds.trace(query);
    String text =
        query
            .text("text")
            .orElseThrow(() -> ViewException.wrong("text is missing: what is to be found?"));
    Page<String> found = traces.find(id, text, MOST);
    out.writeStartObject();
    out.writeArrayFieldStart("spans");
    for (String span : found.items()) {
      out.writeString(span);
    }
    out.writeEndArray();
    out.writeBooleanField("more", found.more());
    out.writeEndObject();
  }
}
