/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceResponse;
import io.opentelemetry.proto.collector.logs.v1.LogsServiceGrpc;
import io.opentelemetry.proto.logs.v1.LogRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A collector of logs by gRPC: grpc-java's server with OpenTelemetry's own stub. */
public final class LogCollector implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 60;

  private static final Context.Key<SocketAddress> CONNECTION = Context.key("connection");

  private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
  private final Server server;

  /**
   * A request, and the connection that it came by.
   *
   * @param connection its other end, which no two have in common at a time
   */
  public record Arrival(ExportLogsServiceRequest request, SocketAddress connection) {}

  private LogCollector(int port) {
    try {
      server =
          NettyServerBuilder.forAddress(new InetSocketAddress("localhost", port))
              .intercept(new Connections())
              .addService(
                  new LogsServiceGrpc.LogsServiceImplBase() {
                    @Override
                    public void export(
                        ExportLogsServiceRequest request,
                        StreamObserver<ExportLogsServiceResponse> answer) {
                      arrivals.add(new Arrival(request, CONNECTION.get()));
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

  /** Tells the service which connection a call came by. */
  private static final class Connections implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      SocketAddress from = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
      return Contexts.interceptCall(
          Context.current().withValue(CONNECTION, from), call, headers, next);
    }
  }

  public static LogCollector start() {
    return new LogCollector(0);
  }

  /** One that is where another was. */
  public static LogCollector startAt(int port) {
    return new LogCollector(port);
  }

  public int port() {
    return server.getPort();
  }

  public String endpoint() {
    return "http://localhost:" + server.getPort();
  }

  /** The next request, which is waited for. */
  public ExportLogsServiceRequest take() {
    return arrival().request();
  }

  /** The next request and where it came from. */
  public Arrival arrival() {
    try {
      @Nullable Arrival arrival = arrivals.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (arrival == null) {
        throw new AssertionError("nothing was sent for " + PATIENCE_SECONDS + " seconds");
      }
      return arrival;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  public boolean hasNothing() {
    return arrivals.isEmpty();
  }

  public static List<LogRecord> records(ExportLogsServiceRequest request) {
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
