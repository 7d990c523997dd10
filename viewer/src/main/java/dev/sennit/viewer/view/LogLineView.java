/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sennit.store.query.LogQueries;
import dev.sennit.viewer.web.Query;
import dev.sennit.viewer.web.View;
import dev.sennit.viewer.web.ViewException;
import java.io.IOException;

/** One log line with all that it has. */
final class LogLineView implements View {
  private final LogQueries logs;

  LogLineView(LogQueries logs) {
    this.logs = logs;
  }

  @Override
  public String path() {
    return "logs/{seq}";
  }

  @Override
  public void write(Query query, JsonGenerator out) throws IOException, ViewException {
    String seq = query.part("seq");
    if (!seq.matches("[0-9]{1,18}")) {
      throw ViewException.wrong(seq + " is no number of a line");
    }
    LogJson.write(
        out,
        logs.line(Long.parseLong(seq))
            .orElseThrow(
                () -> ViewException.missing("line " + seq + " is not there, or not any more")));
  }
}
