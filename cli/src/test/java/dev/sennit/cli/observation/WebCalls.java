/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import com.sun.net.httpserver.HttpServer;
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
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executors;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;

/**
 * Servers and clients of HTTP, gRPC and DNS whose requests are known: their number decides what is
 * asked and how it is answered.
 */
final class WebCalls {
  static final int REQUESTS = 240;
  static final List<String> METHODS =
      List.of("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "BREW");
  static final List<Integer> STATUSES = List.of(200, 204, 302, 404, 500);
  static final List<Status> GRPC_STATUSES =
      List.of(Status.OK, Status.NOT_FOUND, Status.INTERNAL, Status.UNAVAILABLE, Status.ABORTED);
  static final MethodDescriptor<byte[], byte[]> ANSWER =
      ChainGrpcService.LOOK.toBuilder().setFullMethodName("web.Calls/Answer").build();

  private WebCalls() {}

  static String method(int number) {
    return METHODS.get(number % METHODS.size());
  }

  static int status(int number) {
    return STATUSES.get(number % STATUSES.size());
  }

  static Status grpcStatus(int number) {
    return GRPC_STATUSES.get(number % GRPC_STATUSES.size());
  }

  static boolean isKnown(int number) {
    return number % 4 != 0;
  }

  static boolean isTcp(int number) {
    return number % 5 == 0;
  }

  public static void main(String[] arguments) throws Exception {
    int port = Integer.parseInt(arguments[1]);
    switch (arguments[0]) {
      case "http-server" -> serveHttp();
      case "http-client" -> askHttp(port);
      case "grpc-server" -> serveGrpc();
      case "grpc-client" -> askGrpc(port);
      case "dns-client" -> askDns(port);
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static void serveHttp() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 128);
    server.setExecutor(Executors.newFixedThreadPool(4));
    server.createContext(
        "/number/",
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          int number = Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
          exchange.getRequestBody().readAllBytes();
          int status = status(number);
          boolean body = status != 204 && !exchange.getRequestMethod().equals("HEAD");
          byte[] bytes = "x".repeat(number * 100).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, body && bytes.length > 0 ? bytes.length : -1);
          if (body) {
            exchange.getResponseBody().write(bytes);
          }
          exchange.close();
        });
    server.start();
    System.out.println("port " + server.getAddress().getPort());
  }

  private static void askHttp(int port) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      for (int i = 0; i < REQUESTS; i++) {
        HttpRequest.BodyPublisher body =
            method(i).startsWith("P")
                ? HttpRequest.BodyPublishers.ofString("secret ".repeat(i))
                : HttpRequest.BodyPublishers.noBody();
        HttpRequest request =
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + port + "/number/" + i + "?q=" + i))
                .header("Authorization", "secret")
                .header("User-Agent", "web-calls")
                .method(method(i), body)
                .build();
        client.send(request, HttpResponse.BodyHandlers.discarding());
      }
    }
  }

  private static void serveGrpc() throws IOException, InterruptedException {
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(
                ServerServiceDefinition.builder("web.Calls")
                    .addMethod(
                        ANSWER,
                        ServerCalls.<byte[], byte[]>asyncUnaryCall(
                            (request, answer) -> {
                              Status status = grpcStatus(request[0] & 0xff);
                              if (status.isOk()) {
                                answer.onNext(new byte[request.length * 100]);
                                answer.onCompleted();
                              } else {
                                answer.onError(
                                    status.withDescription("secret").asRuntimeException());
                              }
                            }))
                    .build())
            .build()
            .start();
    System.out.println("port " + server.getPort());
    server.awaitTermination();
  }

  private static void askGrpc(int port) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    for (int i = 0; i < REQUESTS; i++) {
      try {
        ClientCalls.blockingUnaryCall(channel, ANSWER, CallOptions.DEFAULT, new byte[] {(byte) i});
      } catch (StatusRuntimeException e) {
        if (e.getStatus().getCode() != grpcStatus(i).getCode()) {
          throw e;
        }
      }
    }
    channel.shutdownNow();
  }

  private static void askDns(int port) throws IOException {
    for (int i = 0; i < REQUESTS; i++) {
      SimpleResolver resolver = new SimpleResolver("127.0.0.1");
      resolver.setPort(port);
      resolver.setTCP(isTcp(i));
      Name name = Name.fromString("host-" + i + ".test.");
      resolver.send(Message.newQuery(Record.newRecord(name, Type.A, DClass.IN)));
    }
  }
}
