/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** The last service of the chain: asked by gRPC, it asks a database, one table for each request. */
final class ChainGrpcService {
  private static final Marshaller<byte[]> BYTES =
      new Marshaller<>() {
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

  static final MethodDescriptor<byte[], byte[]> LOOK =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("chain.Stock/Look")
          .setRequestMarshaller(BYTES)
          .setResponseMarshaller(BYTES)
          .build();

  private static final int CONNECTIONS = 8;

  private ChainGrpcService() {}

  public static void main(String[] arguments)
      throws IOException, SQLException, InterruptedException {
    BlockingQueue<Connection> pool = new ArrayBlockingQueue<>(CONNECTIONS);
    for (int i = 0; i < CONNECTIONS; i++) {
      pool.add(DriverManager.getConnection(arguments[0]));
    }
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(
                ServerServiceDefinition.builder("chain.Stock")
                    .addMethod(
                        LOOK,
                        ServerCalls.<byte[], byte[]>asyncUnaryCall(
                            (request, answer) -> {
                              look(pool, new String(request, StandardCharsets.US_ASCII));
                              answer.onNext(request);
                              answer.onCompleted();
                            }))
                    .build())
            .build()
            .start();
    System.out.println("port " + server.getPort());
    server.awaitTermination();
  }

  private static void look(BlockingQueue<Connection> pool, String number) {
    try {
      Connection connection = pool.take();
      try (Statement statement = connection.createStatement()) {
        statement.execute("SELECT * FROM stock_" + Integer.parseInt(number));
      } finally {
        pool.put(connection);
      }
    } catch (SQLException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
