/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import com.google.protobuf.Message;
import dev.sennit.intake.Answer;
import dev.sennit.intake.TelemetrySink;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

/** Keeps whatever it is given, and answers as a test wants. */
final class KeptSink implements TelemetrySink {
  private final Queue<Message> kept = new ConcurrentLinkedQueue<>();
  volatile Function<Message, Answer> answer = request -> Answer.TAKEN;

  @Override
  public Answer traces(ExportTraceServiceRequest request) {
    return keep(request);
  }

  @Override
  public Answer logs(ExportLogsServiceRequest request) {
    return keep(request);
  }

  @Override
  public Answer profiles(ExportProfilesServiceRequest request) {
    return keep(request);
  }

  private Answer keep(Message request) {
    Answer given = answer.apply(request);
    kept.add(request);
    return given;
  }

  List<Message> kept() {
    return List.copyOf(kept);
  }

  <M extends Message> List<M> kept(Class<M> kind) {
    return kept.stream().filter(kind::isInstance).map(kind::cast).toList();
  }
}
