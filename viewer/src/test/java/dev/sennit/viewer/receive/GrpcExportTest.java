/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.rpc.RetryInfo;
import dev.sennit.intake.Answer;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ClientCalls;
import io.opentelemetry.proto.collector.logs.v1.LogsServiceGrpc;
import io.opentelemetry.proto.collector.metrics.v1.MetricsServiceGrpc;
import io.opentelemetry.proto.collector.profiles.v1development.ProfilesServiceGrpc;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.TraceServiceGrpc;
import io.opentelemetry.proto.common.v1.AnyValue;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against the client of gRPC itself. */
final class GrpcExportTest {
  private final KeptSink sink = new KeptSink();
  private OtlpReceiver receiver;
  private ManagedChannel channel;

  @BeforeEach
  void start() throws Exception {
    ReceiverSettings settings = ReceiverSettings.onLoopback(0, 0);
    receiver = OtlpReceiver.start(settings.with(settings.limits().withRequestBytes(1 << 20)), sink);
    channel =
        NettyChannelBuilder.forAddress("localhost", receiver.grpcAddress().getPort())
            .usePlaintext()
            .build();
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    receiver.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"identity", "gzip"})
  void everySignalArrivesOnceAndEqual(String compression) {
    assertThat(
            TraceServiceGrpc.newBlockingStub(channel)
                .withCompression(compression)
                .export(Requests.spans(5000))
                .hasPartialSuccess())
        .isFalse();
    assertThat(
            LogsServiceGrpc.newBlockingStub(channel)
                .withCompression(compression)
                .export(Requests.lines(2))
                .hasPartialSuccess())
        .isFalse();
    assertThat(
            ProfilesServiceGrpc.newBlockingStub(channel)
                .withCompression(compression)
                .export(Requests.profiles())
                .hasPartialSuccess())
        .isFalse();
    assertThat(
            MetricsServiceGrpc.newBlockingStub(channel)
                .withCompression(compression)
                .export(Requests.metrics(3))
                .getPartialSuccess()
                .getRejectedDataPoints())
        .isEqualTo(3);

    assertThat(sink.kept())
        .containsExactly(Requests.spans(5000), Requests.lines(2), Requests.profiles());
  }

  @Test
  void manyCallsShareAConnection() {
    var stub = TraceServiceGrpc.newBlockingStub(channel);

    IntStream.range(0, 200).parallel().forEach(i -> stub.export(Requests.spans(i % 7 + 1)));

    assertThat(sink.kept()).hasSize(200);
  }

  @Test
  void anEmptyRequestIsTaken() {
    TraceServiceGrpc.newBlockingStub(channel)
        .export(ExportTraceServiceRequest.getDefaultInstance());

    assertThat(sink.kept()).containsExactly(ExportTraceServiceRequest.getDefaultInstance());
  }

  @Test
  void whatWasRejectedIsTold() {
    sink.answer = request -> new Answer.TakenInPart(2, "no name");

    var partial =
        TraceServiceGrpc.newBlockingStub(channel).export(Requests.spans(3)).getPartialSuccess();

    assertThat(partial.getRejectedSpans()).isEqualTo(2);
    assertThat(partial.getErrorMessage()).isEqualTo("no name");
  }

  @Test
  void aSinkWithoutRoomAsksToSendAgain() throws Exception {
    sink.answer = request -> new Answer.Later(Duration.ofSeconds(7), "100 % füll");

    StatusRuntimeException refused = refused(Requests.spans(1));

    assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(refused.getStatus().getDescription()).isEqualTo("100 % füll");
    assertThat(
            Objects.requireNonNull(StatusProto.fromThrowable(refused))
                .getDetails(0)
                .unpack(RetryInfo.class)
                .getRetryDelay()
                .getSeconds())
        .isEqualTo(7);
  }

  @Test
  void aRequestThatIsTooLargeIsNotToBeSentAgain() {
    StatusRuntimeException refused = refused(Requests.spans(40_000));

    assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(Objects.requireNonNull(refused.getTrailers()).keys())
        .doesNotContain("grpc-status-details-bin");
    assertThat(TraceServiceGrpc.newBlockingStub(channel).export(Requests.spans(1)))
        .as("on the same connection")
        .isNotNull();
  }

  @Test
  void aSmallRequestThatBecomesTooLargeIsRefused() {
    StatusRuntimeException refused =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () ->
                TraceServiceGrpc.newBlockingStub(channel)
                    .withCompression("gzip")
                    .export(zeros(4 << 20)));

    assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(sink.kept()).isEmpty();
  }

  @Test
  void aSinkThatFailsHarmsNothing() {
    sink.answer =
        request -> {
          throw new IllegalStateException("secret");
        };
    StatusRuntimeException failed = refused(Requests.spans(1));
    sink.answer = request -> Answer.TAKEN;

    assertThat(failed.getStatus().getCode()).isEqualTo(Status.Code.INTERNAL);
    assertThat(failed.getStatus().getDescription()).doesNotContain("secret");
    assertThat(TraceServiceGrpc.newBlockingStub(channel).export(Requests.spans(1))).isNotNull();
  }

  @Test
  void anUnknownMethodIsNotImplemented() {
    StatusRuntimeException refused =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () -> call("opentelemetry.proto.collector.trace.v2.TraceService/Export"));

    assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
    assertThat(refused.getStatus().getDescription()).contains("trace.v2");
  }

  @Test
  void aMessageOfAnotherKindIsMalformed() {
    StatusRuntimeException refused =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () -> call(TraceServiceGrpc.getExportMethod().getFullMethodName()));

    assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
  }

  private void call(String method) {
    MethodDescriptor<AnyValue, AnyValue> descriptor =
        MethodDescriptor.<AnyValue, AnyValue>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(method)
            .setRequestMarshaller(ProtoUtils.marshaller(AnyValue.getDefaultInstance()))
            .setResponseMarshaller(ProtoUtils.marshaller(AnyValue.getDefaultInstance()))
            .build();
    ClientCalls.blockingUnaryCall(
        channel,
        descriptor,
        CallOptions.DEFAULT,
        AnyValue.newBuilder().setStringValue("not this").build());
  }

  private StatusRuntimeException refused(ExportTraceServiceRequest request) {
    return catchThrowableOfType(
        StatusRuntimeException.class,
        () -> TraceServiceGrpc.newBlockingStub(channel).export(request));
  }

  static ExportTraceServiceRequest zeros(int length) {
    ExportTraceServiceRequest.Builder request = Requests.spans(1).toBuilder();
    request
        .getResourceSpansBuilder(0)
        .getScopeSpansBuilder(0)
        .getSpansBuilder(0)
        .setTraceId(ByteString.copyFrom(new byte[length]));
    return request.build();
  }
}
