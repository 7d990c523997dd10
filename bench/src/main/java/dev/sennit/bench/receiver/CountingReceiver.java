/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.receiver;

import dev.sennit.intake.Answer;
import dev.sennit.intake.TelemetrySink;
import dev.sennit.viewer.receive.OtlpReceiver;
import dev.sennit.viewer.receive.ReceiverSettings;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;

/**
 * The receiver in a JVM of its own. It keeps nothing but which numbers have come; at the end of its
 * input it prints what became of them, and what it cost.
 */
final class CountingReceiver implements TelemetrySink {
  /** The attribute that numbers spans and log records. */
  static final String NUMBER = "number";

  private final Numbers spans = new Numbers();
  private final Numbers lines = new Numbers();

  private CountingReceiver() {}

  public static void main(String[] arguments) throws IOException {
    CountingReceiver sink = new CountingReceiver();
    try (OtlpReceiver receiver = OtlpReceiver.start(ReceiverSettings.onLoopback(0, 0), sink)) {
      System.out.println(
          "ports " + receiver.httpAddress().getPort() + " " + receiver.grpcAddress().getPort());
      var _ = System.in.readAllBytes();
      System.out.println("spans " + sink.spans);
      System.out.println("lines " + sink.lines);
      System.out.println(
          "cost "
              + ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis()
              + " "
              + highestResidentKilobytes());
    }
  }

  private static String highestResidentKilobytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmHWM:"))
        .map(line -> line.replaceAll("\\D", ""))
        .findAny()
        .orElseThrow();
  }

  @Override
  public Answer traces(ExportTraceServiceRequest request) {
    request.getResourceSpansList().stream()
        .flatMap(resource -> resource.getScopeSpansList().stream())
        .flatMap(scope -> scope.getSpansList().stream())
        .forEach(span -> spans.add(span.getAttributesList()));
    return Answer.TAKEN;
  }

  @Override
  public Answer logs(ExportLogsServiceRequest request) {
    request.getResourceLogsList().stream()
        .flatMap(resource -> resource.getScopeLogsList().stream())
        .flatMap(scope -> scope.getLogRecordsList().stream())
        .forEach(record -> lines.add(record.getAttributesList()));
    return Answer.TAKEN;
  }

  @Override
  public Answer profiles(ExportProfilesServiceRequest request) {
    return Answer.TAKEN;
  }

  private static final class Numbers {
    private final BitSet seen = new BitSet();
    private long again;

    synchronized void add(List<KeyValue> attributes) {
      for (KeyValue attribute : attributes) {
        if (attribute.getKey().equals(NUMBER)) {
          int number = Math.toIntExact(attribute.getValue().getIntValue());
          again += seen.get(number) ? 1 : 0;
          seen.set(number);
        }
      }
    }

    @Override
    public synchronized String toString() {
      return seen.cardinality() + " " + again;
    }
  }
}
