/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceResponse;
import io.opentelemetry.proto.collector.logs.v1.LogsServiceGrpc;
import io.opentelemetry.proto.logs.v1.LogRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A collector of logs by gRPC: grpc-java's server with OpenTelemetry's own stub. */
final class LogCollector implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 60;

  private final BlockingQueue<ExportLogsServiceRequest> requests = new LinkedBlockingQueue<>();
  private final Server server;

  private LogCollector() {
    try {
      server =
          NettyServerBuilder.forAddress(new InetSocketAddress("localhost", 0))
              .addService(
                  new LogsServiceGrpc.LogsServiceImplBase() {
                    @Override
                    public void export(
                        ExportLogsServiceRequest request,
                        StreamObserver<ExportLogsServiceResponse> answer) {
                      requests.add(request);
                      answer.onNext(ExportLogsServiceResponse.getDefaultInstance());
                      answer.onCompleted();
                    }
                  })
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static LogCollector start() {
    return new LogCollector();
  }

  String endpoint() {
    return "http://localhost:" + server.getPort();
  }

  /** The next request, which is waited for. */
  ExportLogsServiceRequest take() {
    try {
      @Nullable ExportLogsServiceRequest request =
          requests.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (request == null) {
        throw new AssertionError("nothing was sent for " + PATIENCE_SECONDS + " seconds");
      }
      return request;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  boolean hasNothing() {
    return requests.isEmpty();
  }

  void clear() {
    requests.clear();
  }

  static List<LogRecord> records(ExportLogsServiceRequest request) {
    return request.getResourceLogsList().stream()
        .flatMap(resource -> resource.getScopeLogsList().stream())
        .flatMap(scope -> scope.getLogRecordsList().stream())
        .toList();
  }

  @Override
  public void close() {
    server.shutdownNow();
  }
}
