/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Codec;
import io.grpc.Compressor;
import io.grpc.CompressorRegistry;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.collector.trace.v1.TraceServiceGrpc;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls that a generated client does not make; the next call on the connection is served. */
final class GrpcFaultsTest {
  private final KeptSink sink = new KeptSink();
  private OtlpReceiver receiver;
  private ManagedChannel channel;

  @BeforeEach
  void start() throws Exception {
    ReceiverSettings settings = ReceiverSettings.onLoopback(0, 0);
    receiver =
        OtlpReceiver.start(
            settings.with(
                settings.limits().withTimes(Duration.ofSeconds(1), Duration.ofMinutes(1))),
            sink);
    CompressorRegistry compressors = CompressorRegistry.newEmptyInstance();
    compressors.register(new Unheard());
    compressors.register(new Codec.Gzip());
    channel =
        NettyChannelBuilder.forAddress("localhost", receiver.grpcAddress().getPort())
            .compressorRegistry(compressors)
            .usePlaintext()
            .build();
  }

  @AfterEach
  void theNextCallIsServed() {
    assertThat(TraceServiceGrpc.newBlockingStub(channel).export(Requests.spans(1))).isNotNull();
    channel.shutdownNow();
    receiver.close();
  }

  @Test
  void aCallWithoutAMessageIsMalformed() throws Exception {
    Call call = new Call(CallOptions.DEFAULT);
    call.client.halfClose();

    assertThat(call.status().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
  }

  @Test
  void aCallWithTwoMessagesIsMalformed() throws Exception {
    Call call = new Call(CallOptions.DEFAULT);
    call.client.sendMessage(Requests.spans(1));
    call.client.sendMessage(Requests.spans(2));
    call.client.halfClose();

    assertThat(call.status().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(sink.kept()).isEmpty();
  }

  @Test
  void aCallThatDoesNotEndIsEnded() throws Exception {
    Call call = new Call(CallOptions.DEFAULT);
    call.client.sendMessage(Requests.spans(1));

    assertThat(call.status().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(sink.kept()).isEmpty();
  }

  @Test
  void anUnknownCompressionIsNotImplemented() throws Exception {
    Call call = new Call(CallOptions.DEFAULT.withCompression("unheard"));
    call.client.sendMessage(Requests.spans(1));
    call.client.halfClose();

    assertThat(call.status().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
    assertThat(call.status().getDescription()).contains("unheard");
  }

  @Test
  void aCallThatIsCancelledIsForgotten() throws Exception {
    Call call = new Call(CallOptions.DEFAULT);
    call.client.sendMessage(Requests.spans(20_000));
    call.client.cancel("no longer", null);

    assertThat(call.status().getCode()).isEqualTo(Status.Code.CANCELLED);
    assertThat(sink.kept()).isEmpty();
  }

  /** The method of traces, as if it took a stream of messages. */
  private final class Call extends ClientCall.Listener<ExportTraceServiceResponse> {
    private final ClientCall<ExportTraceServiceRequest, ExportTraceServiceResponse> client;
    private final CompletableFuture<Status> status = new CompletableFuture<>();

    Call(CallOptions options) {
      client =
          channel.newCall(
              TraceServiceGrpc.getExportMethod().toBuilder()
                  .setType(MethodDescriptor.MethodType.CLIENT_STREAMING)
                  .build(),
              options);
      client.start(this, new Metadata());
      client.request(2);
    }

    @Override
    public void onClose(Status closed, Metadata trailers) {
      status.complete(closed);
    }

    Status status() throws Exception {
      return status.get(60, TimeUnit.SECONDS);
    }
  }

  private static final class Unheard implements Compressor {
    @Override
    public String getMessageEncoding() {
      return "unheard";
    }

    @Override
    public OutputStream compress(OutputStream out) {
      return out;
    }
  }
}
