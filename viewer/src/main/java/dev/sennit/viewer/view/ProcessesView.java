/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import dev.sennit.store.query.Page;
import dev.sennit.store.query.ProcessInfo;
import dev.sennit.store.query.ProcessQueries;
import dev.sennit.viewer.web.Query;
import dev.sennit.viewer.web.View;
import dev.sennit.viewer.web.ViewException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The processes of which there is telemetry, the last seen first. */
final class ProcessesView implements View {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int USUAL = 200;
  private static final int MOST = 1000;

  private final ProcessQueries processes;

  ProcessesView(ProcessQueries processes) {
    this.processes = processes;
  }

  @Override
  public String path() {
    return "processes";
  }

  @Override
  public void write(Query query, JsonGenerator out) throws IOException, ViewException {
    Page<ProcessInfo> page = processes.list((int) query.number("limit", 1, MOST, USUAL));
    out.writeStartObject();
    out.writeBooleanField("more", page.more());
    out.writeArrayFieldStart("processes");
    for (ProcessInfo process : page.items()) {
      write(process, out);
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  private static void write(ProcessInfo process, JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeStringField("service", process.service());
    out.writeStringField("instance", process.instance());
    out.writeStringField("host", process.host());
    @Nullable Long pid = process.pid();
    if (pid != null) {
      out.writeNumberField("pid", pid);
    }
    out.writeNumberField("firstSeen", process.firstSeen() / 1e6);
    out.writeNumberField("lastSeen", process.lastSeen() / 1e6);
    out.writeFieldName("resource");
    @Nullable String resource = process.resource();
    if (resource == null) {
      out.writeNull();
    } else {
      try (JsonParser parser = JSON.createParser(resource)) {
        parser.nextToken();
        out.copyCurrentStructure(parser);
      }
    }
    out.writeEndObject();
  }
}
