/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import com.sun.net.httpserver.HttpServer;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.io.entity.EntityUtils;

/**
 * A service of the chain in Java: with a thread for each request, which asks the next by HTTP on
 * that thread; or with virtual threads, which ask the next by gRPC.
 */
final class ChainJavaService {
  private ChainJavaService() {}

  private interface Next {
    void ask(String path) throws IOException;
  }

  public static void main(String[] arguments) throws IOException {
    boolean virtual = arguments[0].equals("virtual");
    int next = Integer.parseInt(arguments[1]);
    ExecutorService executor =
        virtual ? Executors.newVirtualThreadPerTaskExecutor() : Executors.newFixedThreadPool(32);
    Next asked = virtual ? byGrpc(next) : byHttp(next);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 128);
    server.setExecutor(executor);
    server.createContext(
        "/",
        exchange -> {
          asked.ask(exchange.getRequestURI().getPath());
          byte[] body = "done".getBytes(StandardCharsets.US_ASCII);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    System.out.println("port " + server.getAddress().getPort());
  }

  private static Next byHttp(int port) {
    CloseableHttpClient client =
        HttpClients.custom()
            .setConnectionManager(
                PoolingHttpClientConnectionManagerBuilder.create()
                    .setMaxConnTotal(64)
                    .setMaxConnPerRoute(64)
                    .build())
            .build();
    return path ->
        client.execute(
            new HttpGet("http://127.0.0.1:" + port + path),
            response -> {
              EntityUtils.consume(response.getEntity());
              return null;
            });
  }

  private static Next byGrpc(int port) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    return path ->
        ClientCalls.blockingUnaryCall(
            channel,
            ChainGrpcService.LOOK,
            CallOptions.DEFAULT,
            path.substring(1).getBytes(StandardCharsets.US_ASCII));
  }
}
