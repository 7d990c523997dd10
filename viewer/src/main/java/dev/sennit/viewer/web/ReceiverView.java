/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.web;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sennit.otlp.export.Signal;
import dev.sennit.viewer.http.Addresses;
import dev.sennit.viewer.receive.OtlpReceiver;
import dev.sennit.viewer.receive.SignalCounters;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Where OTLP is received, and how much of it has come; as a document, and every second. */
public final class ReceiverView implements View, LiveView {
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final List<Signal> SIGNALS =
      List.of(Signal.TRACES, Signal.LOGS, Signal.PROFILES, Signal.METRICS);

  private final OtlpReceiver receiver;

  public ReceiverView(OtlpReceiver receiver) {
    this.receiver = receiver;
  }

  @Override
  public String path() {
    return "receiver";
  }

  @Override
  public void run(Query query, Events events) throws IOException, InterruptedException {
    while (true) {
      events.send("counters", this::write);
      events.pause(PERIOD);
    }
  }

  @Override
  public void write(Query query, JsonGenerator out) throws IOException {
    write(out);
  }

  private void write(JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeStringField("http", Addresses.url(receiver.httpAddress()));
    out.writeStringField("grpc", Addresses.url(receiver.grpcAddress()));
    out.writeArrayFieldStart("signals");
    for (Signal signal : SIGNALS) {
      SignalCounters counters = receiver.counters(signal);
      out.writeStartObject();
      out.writeStringField("signal", signal.settingName());
      out.writeNumberField("requests", counters.requests());
      out.writeNumberField("accepted", counters.accepted());
      out.writeNumberField("rejected", counters.rejected());
      out.writeNumberField("malformed", counters.malformed());
      out.writeNumberField("refused", counters.refused());
      out.writeNumberField("bytes", counters.bytes());
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeEndObject();
  }
}
