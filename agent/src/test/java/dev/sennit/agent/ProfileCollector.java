/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceResponse;
import io.opentelemetry.proto.collector.profiles.v1development.ProfilesServiceGrpc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A collector of profiles by gRPC in a process of its own, so that it can be killed. It keeps each
 * request as a file, prints {@code got} with its number, and dies between a request and its answer
 * if it was told which. When its input ends it answers what it has begun with and ends, too.
 */
final class ProfileCollector extends ProfilesServiceGrpc.ProfilesServiceImplBase {
  private final Path folder;
  private final int fatal;
  private int count;

  private ProfileCollector(Path folder, int fatal) {
    this.folder = folder;
    this.fatal = fatal;
  }

  /** The port, or 0 for any; where to keep requests; the number of the last one, or 0 for none. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createDirectories(Path.of(arguments[1]));
    var server =
        NettyServerBuilder.forAddress(
                new InetSocketAddress("localhost", Integer.parseInt(arguments[0])))
            .addService(new ProfileCollector(folder, Integer.parseInt(arguments[2])))
            .build()
            .start();
    System.out.println("port " + server.getPort());
    while (System.in.read() >= 0) {
      // Until nobody is there any more.
    }
    server.shutdown().awaitTermination();
  }

  @Override
  public void export(
      ExportProfilesServiceRequest request, StreamObserver<ExportProfilesServiceResponse> answer) {
    keep(request);
    answer.onNext(ExportProfilesServiceResponse.getDefaultInstance());
    answer.onCompleted();
  }

  private synchronized void keep(ExportProfilesServiceRequest request) {
    count++;
    try {
      Files.write(folder.resolve("%04d".formatted(count)), request.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    System.out.println("got " + count);
    if (count == fatal) {
      Runtime.getRuntime().halt(137);
    }
  }
}
