/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.kernel.ring.Outcome;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls of gRPC on a connection of many streams: every one has a header of its own, or none. */
@Requires(root = true)
final class GrpcInjectionTest {
  private static final Metadata.Key<String> TRACEPARENT =
      Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER);
  private static final int STREAMS = 64;

  /** Smaller than the largest messages, so that senders have to wait. */
  private static final int RECEIVE_BUFFER = 32_768;

  private final Set<String> headers = ConcurrentHashMap.newKeySet();
  private final ConcurrentLinkedQueue<String> doubled = new ConcurrentLinkedQueue<>();
  private final AtomicInteger without = new AtomicInteger();
  private final AtomicInteger served = new AtomicInteger();
  private Server server;

  @BeforeEach
  void serve() throws IOException {
    ServerServiceDefinition echo =
        ServerServiceDefinition.builder(EchoService.NAME)
            .addMethod(
                EchoService.METHOD,
                ServerCalls.asyncUnaryCall(
                    (request, answer) -> {
                      pauseSometimes();
                      answer.onNext(request);
                      answer.onCompleted();
                    }))
            .build();
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .flowControlWindow(65_535)
            .withChildOption(ChannelOption.SO_RCVBUF, RECEIVE_BUFFER)
            .addService(ServerInterceptors.intercept(echo, new HeaderLog()))
            .build()
            .start();
  }

  @AfterEach
  void stop() {
    server.shutdownNow();
  }

  /** So that the sender's buffers fill up now and then. */
  private void pauseSometimes() {
    if (served.incrementAndGet() % 5000 == 0) {
      try {
        TimeUnit.MILLISECONDS.sleep(20);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private final class HeaderLog implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata metadata, ServerCallHandler<Q, A> next) {
      List<String> values = new ArrayList<>();
      Iterable<String> all = metadata.getAll(TRACEPARENT);
      if (all != null) {
        all.forEach(values::add);
      }
      if (values.isEmpty()) {
        without.incrementAndGet();
      } else if (values.size() > 1 || !headers.add(values.getFirst())) {
        doubled.add(values.toString());
      }
      return next.startCall(call, metadata);
    }
  }

  @Test
  void everyCallOfAConnectionHasAHeaderOfItsOwn() throws IOException {
    int calls = 100_000;
    try (Observation observation =
        Observation.start(
            new TracerSettings.Builder().startTraces(true).http2(true).capture(0).build())) {
      assertThat(call(observation, calls, "plain")).isEqualTo("0");

      assertThat(doubled).isEmpty();
      assertThat(headers.size() + without.get()).isEqualTo(calls);
      assertThat(headers).allMatch(header -> header.matches("00-[0-9a-f]{32}-[0-9a-f]{16}-01"));
      assertThat(observation.count(Outcome.INJECTED)).isEqualTo(headers.size());
      // A send that is taken in part may end it for the connection: how many come before is chance.
      assertThat(headers).isNotEmpty();
      System.out.println(headers.size() + " of " + calls + " calls have a header, 0 are wrong");
    }
  }

  @Test
  void callsThatHaveOneKeepIt() throws IOException {
    try (Observation observation =
        Observation.start(
            new TracerSettings.Builder().startTraces(true).http2(true).capture(0).build())) {
      assertThat(call(observation, 1000, "propagates")).isEqualTo("0");

      assertThat(new HashSet<>(headers))
          .containsExactly("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
      assertThat(observation.count(Outcome.INJECTED)).isZero();
      assertThat(observation.count(Outcome.ADOPTED)).isPositive();
    }
  }

  @Test
  void withoutTheSwitchNothingIsTouched() throws IOException {
    try (Observation observation =
        Observation.start(new TracerSettings.Builder().startTraces(true).build())) {
      assertThat(call(observation, 1000, "plain")).isEqualTo("0");

      assertThat(without.get()).isEqualTo(1000);
      assertThat(observation.count(Outcome.SKIPPED_HTTP2)).isEqualTo(1);
    }
  }

  private String call(Observation observation, int calls, String kind) {
    return observation
        .run(
            ChildProcess.javaCommand(
                List.of(), GrpcCaller.class, "" + server.getPort(), "" + calls, "" + STREAMS, kind))
        .expect("wrong ")
        .strip();
  }
}
