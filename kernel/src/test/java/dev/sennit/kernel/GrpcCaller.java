/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Calls a server many times, so many calls at a time on one connection, and compares the answers.
 */
final class GrpcCaller {
  private static final Metadata.Key<String> OWN =
      Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER);

  private GrpcCaller() {}

  public static void main(String[] arguments) throws InterruptedException {
    int port = Integer.parseInt(arguments[0]);
    int calls = Integer.parseInt(arguments[1]);
    int streams = Integer.parseInt(arguments[2]);
    boolean propagates = arguments[3].equals("propagates");
    NettyChannelBuilder builder = NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext();
    if (propagates) {
      Metadata metadata = new Metadata();
      metadata.put(OWN, "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
      builder.intercept(MetadataUtils.newAttachHeadersInterceptor(metadata));
    }
    ManagedChannel channel = builder.build();
    Semaphore free = new Semaphore(streams);
    CountDownLatch left = new CountDownLatch(calls);
    AtomicInteger wrong = new AtomicInteger();
    for (int i = 0; i < calls; i++) {
      byte[] message = message(i);
      if (i % 10_000 == 0) {
        System.out.println("begun " + i);
      }
      free.acquire();
      ClientCalls.asyncUnaryCall(
          channel.newCall(EchoService.METHOD, CallOptions.DEFAULT),
          message,
          new StreamObserver<byte[]>() {
            @Override
            public void onNext(byte[] answer) {
              if (!Arrays.equals(answer, message)) {
                wrong.incrementAndGet();
              }
            }

            @Override
            public void onError(Throwable failure) {
              System.err.println(failure);
              wrong.incrementAndGet();
              onCompleted();
            }

            @Override
            public void onCompleted() {
              left.countDown();
              free.release();
            }
          });
    }
    left.await();
    channel.shutdownNow();
    System.out.println("wrong " + wrong.get());
    System.exit(0);
  }

  /** Mostly small, sometimes larger than a frame and than what the receiver takes at a time. */
  private static byte[] message(int number) {
    byte[] message = new byte[number % 100 == 0 ? 40_000 : 10 + number % 50];
    Arrays.fill(message, (byte) number);
    return message;
  }
}
