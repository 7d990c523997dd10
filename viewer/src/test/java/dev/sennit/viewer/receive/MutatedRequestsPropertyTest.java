/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.intake.Encoding;
import dev.sennit.intake.MalformedException;
import dev.sennit.viewer.http.Gzip;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.TraceServiceGrpc;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * Damaged requests, each of which has one right answer, and after each of which there is a next.
 */
class MutatedRequestsPropertyTest {
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

  private static final OtlpReceiver RECEIVER = start();
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final ManagedChannel CHANNEL =
      NettyChannelBuilder.forAddress("localhost", RECEIVER.grpcAddress().getPort())
          .usePlaintext()
          .build();

  private static OtlpReceiver start() {
    ReceiverSettings settings = ReceiverSettings.onLoopback(0, 0);
    try {
      return OtlpReceiver.start(
          settings.with(settings.limits().withRequestsPerSecond(1_000_000)), new KeptSink());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterContainer
  static void stop() {
    CHANNEL.shutdownNow();
    CLIENT.close();
    RECEIVER.close();
  }

  @Property(tries = 500, shrinking = ShrinkingMode.OFF)
  void protobufOverHttp(@ForAll long random) throws Exception {
    byte[] bytes = mutated(Requests.spans(3).toByteArray(), random);

    assertThat(post(bytes, Encoding.PROTOBUF, false))
        .isEqualTo(isReadable(Encoding.PROTOBUF, bytes) ? 200 : 400);
  }

  @Property(tries = 500, shrinking = ShrinkingMode.OFF)
  void jsonOverHttp(@ForAll long random) throws Exception {
    byte[] bytes = mutated(Encoding.JSON.write(Requests.spans(3)), random);

    assertThat(post(bytes, Encoding.JSON, false))
        .isEqualTo(isReadable(Encoding.JSON, bytes) ? 200 : 400);
  }

  @Property(tries = 500, shrinking = ShrinkingMode.OFF)
  void gzipOverHttp(@ForAll long random) throws Exception {
    byte[] bytes = mutated(Gzip.compressed(Requests.spans(3).toByteArray()), random);
    boolean readable;
    try {
      readable =
          isReadable(
              Encoding.PROTOBUF,
              new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes());
    } catch (IOException e) {
      readable = false;
    }

    assertThat(post(bytes, Encoding.PROTOBUF, true)).isEqualTo(readable ? 200 : 400);
  }

  @Property(tries = 500, shrinking = ShrinkingMode.OFF)
  void protobufOverGrpc(@ForAll long random) {
    byte[] bytes = mutated(Requests.spans(3).toByteArray(), random);

    assertThat(call(bytes))
        .isEqualTo(
            isReadable(Encoding.PROTOBUF, bytes) ? Status.Code.OK : Status.Code.INVALID_ARGUMENT);
  }

  private static byte[] mutated(byte[] bytes, long random) {
    Random choices = new Random(random);
    byte[] mutated = bytes.clone();
    for (int i = choices.nextInt(4); i >= 0; i--) {
      int at = choices.nextInt(mutated.length);
      switch (choices.nextInt(4)) {
        case 0 -> mutated[at] ^= (byte) (1 << choices.nextInt(8));
        case 1 -> mutated[at] = (byte) choices.nextInt();
        case 2 -> mutated = Arrays.copyOf(mutated, Math.max(1, at));
        default -> mutated = Arrays.copyOf(mutated, mutated.length + choices.nextInt(20));
      }
    }
    return mutated;
  }

  private static boolean isReadable(Encoding encoding, byte[] bytes) {
    try {
      var _ = encoding.read(bytes, ExportTraceServiceRequest.getDefaultInstance());
      return true;
    } catch (MalformedException e) {
      return false;
    }
  }

  private static int post(byte[] bytes, Encoding encoding, boolean gzip) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("http://localhost:" + RECEIVER.httpAddress().getPort() + "/v1/traces"))
            .header(
                "Content-Type",
                encoding == Encoding.JSON ? "application/json" : "application/x-protobuf")
            .POST(HttpRequest.BodyPublishers.ofByteArray(bytes));
    if (gzip) {
      request.header("Content-Encoding", "gzip");
    }
    return CLIENT.send(request.build(), BodyHandlers.discarding()).statusCode();
  }

  private static Status.Code call(byte[] bytes) {
    try {
      var _ =
          ClientCalls.blockingUnaryCall(
              CHANNEL,
              TraceServiceGrpc.getExportMethod().toBuilder(BYTES, BYTES).build(),
              CallOptions.DEFAULT,
              bytes);
      return Status.Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    }
  }
}
