/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http2;

import static dev.sennit.tracing.protocol.ConversationKit.attribute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import dev.sennit.tracing.protocol.ConversationKit;
import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.LoopbackTap;
import dev.sennit.tracing.protocol.Session;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions of real clients and servers. */
final class RecordedHttp2Test {
  private static final Http2Protocol HTTP2 = new Http2Protocol();

  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            return stream.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  private static MethodDescriptor<byte[], byte[]> method(
      String name, MethodDescriptor.MethodType type) {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setFullMethodName("demo.Echo/" + name)
        .setType(type)
        .setRequestMarshaller(BYTES)
        .setResponseMarshaller(BYTES)
        .build();
  }

  private static final MethodDescriptor<byte[], byte[]> ONE =
      method("One", MethodDescriptor.MethodType.UNARY);
  private static final MethodDescriptor<byte[], byte[]> FAIL =
      method("Fail", MethodDescriptor.MethodType.UNARY);
  private static final MethodDescriptor<byte[], byte[]> MANY =
      method("Many", MethodDescriptor.MethodType.SERVER_STREAMING);
  private static final MethodDescriptor<byte[], byte[]> ABSENT =
      method("Absent", MethodDescriptor.MethodType.UNARY);

  private static void answer(byte[] request, StreamObserver<byte[]> responses, int count) {
    for (int i = 0; i < count; i++) {
      responses.onNext(request);
    }
    responses.onCompleted();
  }

  private static Server serve() throws IOException {
    ServerServiceDefinition echo =
        ServerServiceDefinition.builder("demo.Echo")
            .addMethod(
                ONE,
                ServerCalls.asyncUnaryCall((request, responses) -> answer(request, responses, 1)))
            .addMethod(
                FAIL,
                ServerCalls.asyncUnaryCall(
                    (request, responses) ->
                        responses.onError(Status.NOT_FOUND.asRuntimeException())))
            .addMethod(
                MANY,
                ServerCalls.asyncServerStreamingCall(
                    (request, responses) -> answer(request, responses, 3)))
            .build();
    InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return NettyServerBuilder.forAddress(loopback).addService(echo).build().start();
  }

  private static Session grpcSession(int size, int repeats) throws IOException {
    Server server = serve();
    try (LoopbackTap tap = LoopbackTap.before(server.getPort())) {
      InetSocketAddress loopback =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), tap.port());
      ManagedChannel channel = NettyChannelBuilder.forAddress(loopback).usePlaintext().build();
      byte[] message = new byte[size];
      for (int i = 0; i < repeats; i++) {
        ClientCalls.blockingUnaryCall(channel, ONE, CallOptions.DEFAULT, message);
        Iterator<byte[]> many =
            ClientCalls.blockingServerStreamingCall(channel, MANY, CallOptions.DEFAULT, message);
        many.forEachRemaining(bytes -> assertThat(bytes).hasSize(size));
        for (MethodDescriptor<byte[], byte[]> failing : List.of(FAIL, ABSENT)) {
          assertThatThrownBy(
                  () ->
                      ClientCalls.blockingUnaryCall(channel, failing, CallOptions.DEFAULT, message))
              .isInstanceOf(StatusRuntimeException.class);
        }
      }
      channel.shutdownNow();
      return tap.sessions().getFirst();
    } finally {
      server.shutdownNow();
    }
  }

  private static List<String> summary(ConversationKit kit) {
    return kit.ended().stream()
        .map(
            exchange ->
                exchange.name()
                    + " "
                    + attribute(exchange, "rpc.response.status_code")
                    + " "
                    + exchange.errorType())
        .toList();
  }

  @Test
  void understandsGrpc() throws IOException {
    Session session = grpcSession(20, 3);
    List<String> client = new ArrayList<>();
    List<String> server = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      client.add("demo.Echo/One OK null");
      client.add("demo.Echo/Many OK null");
      client.add("demo.Echo/Fail NOT_FOUND NOT_FOUND");
      client.add("demo.Echo/Absent UNIMPLEMENTED UNIMPLEMENTED");
      server.add("demo.Echo/One OK null");
      server.add("demo.Echo/Many OK null");
      server.add("demo.Echo/Fail NOT_FOUND null");
      server.add("demo.Echo/Absent UNIMPLEMENTED UNIMPLEMENTED");
    }
    assertThat(summary(ConversationKit.client(HTTP2).play(session).end()))
        .containsExactlyElementsOf(client);
    assertThat(summary(ConversationKit.server(HTTP2).play(session).end()))
        .containsExactlyElementsOf(server);
    ConversationKit.assertCutsDoNotMatter(HTTP2, session);
    ConversationKit.assertLossIsLocal(HTTP2, session, 12);
    assertThat(
            ConversationKit.judge(
                HTTP2, session.moves().getFirst().side(), session.moves().getFirst().bytes()))
        .isEqualTo(Likeness.CLEAR);
  }

  @Test
  void understandsGrpcOfWhichOnlyThePartsThatMatterAreCaptured() throws IOException {
    Session session = grpcSession(3000, 2);
    ConversationKit kit = ConversationKit.client(HTTP2).capturing(4096).play(session).end();
    assertThat(kit.ended()).hasSize(8);
    assertThat(kit.ended()).allMatch(exchange -> exchange.protocol().equals("grpc"));
    assertThat(kit.isOpen()).isFalse();
  }

  private static final String SERVER =
      """
      const http2 = require('http2');
      const server = http2.createServer();
      server.on('stream', (stream, headers) => {
        stream.on('error', () => {});
        stream.resume();
        stream.on('end', () => {
          stream.respond({':status': headers[':path'] === '/missing' ? 404 : 200});
          stream.end('hello');
        });
      });
      server.listen(0, '127.0.0.1', () => console.log(server.address().port));
      """;

  private static final String CLIENT =
      """
      const session = require('http2').connect(process.argv[2]);
      let open = 3;
      for (const path of ['/a?b=c', '/missing', '/a']) {
        const stream = session.request({':path': path, ':method': 'POST'});
        stream.on('close', () => { if (--open === 0) session.close(); });
        stream.resume();
        stream.end('abc');
      }
      """;

  private static List<String> plain(Session session) {
    return ConversationKit.server(HTTP2).play(session).end().ended().stream()
        .map(
            exchange ->
                exchange.name()
                    + " "
                    + attribute(exchange, "url.path")
                    + " "
                    + attribute(exchange, "http.response.status_code")
                    + " "
                    + exchange.requestBytes()
                    + "/"
                    + exchange.responseBytes())
        .toList();
  }

  @Test
  @Requires(commands = {"curl", "node"})
  void understandsCurlAndNode(@TempDir Path folder) throws IOException {
    Path server = Files.writeString(folder.resolve("server.js"), SERVER);
    Path client = Files.writeString(folder.resolve("client.js"), CLIENT);
    try (ChildProcess node = ChildProcess.start(List.of("node", server.toString()));
        LoopbackTap tap = LoopbackTap.before(Integer.parseInt(node.readLine()))) {
      String url = "http://127.0.0.1:" + tap.port();
      String[] curl = {"curl", "-s", "--http2-prior-knowledge", "-d", "abc", url + "/a?b=c"};
      for (List<String> command : List.of(List.of(curl), List.of("node", client.toString(), url))) {
        try (ChildProcess process = ChildProcess.start(command)) {
          assertThat(process.waitFor()).isZero();
        }
      }
      List<Session> sessions = tap.sessions();
      assertThat(plain(sessions.getFirst())).containsExactly("POST /a 200 3/5");
      assertThat(plain(sessions.get(1)))
          .containsExactlyInAnyOrder("POST /a 200 3/5", "POST /missing 404 3/5", "POST /a 200 3/5");
      for (Session session : sessions) {
        ConversationKit.assertCutsDoNotMatter(HTTP2, session);
        ConversationKit.assertLossIsLocal(HTTP2, session, 3);
      }
    }
  }
}
