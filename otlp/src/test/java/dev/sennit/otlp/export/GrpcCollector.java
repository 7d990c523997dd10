/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.stub.StreamObserver;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceResponse;
import io.opentelemetry.proto.collector.profiles.v1development.ProfilesServiceGrpc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A collector of profiles by gRPC: grpc-java's server with OpenTelemetry's own stub. */
final class GrpcCollector implements Collector {
  static final int MAX_MESSAGE = 64 << 20;

  /** What to do with a request. */
  interface Behaviour {
    ExportProfilesServiceResponse answer(ExportProfilesServiceRequest request)
        throws InterruptedException;
  }

  static final Behaviour TAKE = request -> ExportProfilesServiceResponse.getDefaultInstance();

  private final BlockingQueue<Integer> received = new LinkedBlockingQueue<>();
  volatile Metadata headers = new Metadata();
  volatile Behaviour behaviour = TAKE;
  private final Server server;

  private GrpcCollector(int port, int maxMessage, @Nullable TestCertificates certificates) {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress("localhost", port))
            .maxInboundMessageSize(maxMessage)
            .addService(new Service())
            .intercept(new HeaderKeeper());
    try {
      if (certificates != null) {
        builder.sslContext(
            GrpcSslContexts.configure(
                    SslContextBuilder.forServer(
                        certificates.server().toFile(), certificates.serverKey().toFile()))
                .trustManager(certificates.client().toFile())
                .clientAuth(ClientAuth.REQUIRE)
                .build());
      }
      server = builder.build().start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static GrpcCollector start() {
    return new GrpcCollector(0, MAX_MESSAGE, null);
  }

  /** One that takes messages up to that size. */
  static GrpcCollector startStrict(int maxMessage) {
    return new GrpcCollector(0, maxMessage, null);
  }

  static GrpcCollector start(int port) {
    return new GrpcCollector(port, MAX_MESSAGE, null);
  }

  /** One that wants to know who its clients are. */
  static GrpcCollector startSecure(TestCertificates certificates) {
    return new GrpcCollector(0, MAX_MESSAGE, certificates);
  }

  @Override
  public int port() {
    return server.getPort();
  }

  @Override
  public BlockingQueue<Integer> received() {
    return received;
  }

  @Override
  public void beforeAnswer(Interruption interruption) {
    behaviour =
        request -> {
          interruption.onRequest(Messages.numberOf(request));
          return TAKE.answer(request);
        };
  }

  /** The value of a header of the last request. */
  @Nullable String header(String name) {
    return headers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
  }

  private final class Service extends ProfilesServiceGrpc.ProfilesServiceImplBase {
    @Override
    public void export(
        ExportProfilesServiceRequest request,
        StreamObserver<ExportProfilesServiceResponse> answer) {
      received.add(Messages.numberOf(request));
      try {
        answer.onNext(behaviour.answer(request));
        answer.onCompleted();
      } catch (RuntimeException e) {
        answer.onError(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private final class HeaderKeeper implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata metadata, ServerCallHandler<Q, A> next) {
      headers = metadata;
      return next.startCall(call, metadata);
    }
  }

  @Override
  public void close() {
    server.shutdownNow();
    try {
      server.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
