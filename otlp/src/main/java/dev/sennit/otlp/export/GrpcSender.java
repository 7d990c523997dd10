/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Optional;
import org.apache.hc.core5.http.HttpRequest;

/**
 * OTLP/gRPC: a unary call as "gRPC over HTTP2" has it, and the OTLP specification's rules on what
 * may be sent again.
 */
final class GrpcSender implements OtlpSender {
  /** A byte that says whether the message is compressed, and its length. */
  private static final int PREFIX = 1 + Integer.BYTES;

  private static final long MAX_TIMEOUT_DIGITS = 99_999_999;

  private final ExportSettings settings;
  private final HttpTransport transport;
  private final String path;

  GrpcSender(ExportSettings settings) {
    this.settings = settings;
    this.transport = new HttpTransport(settings);
    this.path = "/" + settings.signal().grpcMethod();
  }

  @Override
  public SendResult send(byte[] message) {
    boolean compressed = settings.compression() == Compression.GZIP;
    HttpRequest request = Requests.post(transport, path, settings);
    request.setHeader("content-type", "application/grpc");
    request.setHeader("te", "trailers");
    long timeout = Math.min(settings.timeout().toMillis(), MAX_TIMEOUT_DIGITS);
    request.setHeader("grpc-timeout", timeout + "m");
    if (compressed) {
      request.setHeader("grpc-encoding", "gzip");
    }
    try {
      return result(transport.exchange(request, frame(message, compressed)));
    } catch (NoAnswerException e) {
      return Requests.unanswered(e);
    }
  }

  private static byte[] frame(byte[] message, boolean compressed) {
    ByteArrayOutputStream framed = new ByteArrayOutputStream(PREFIX + message.length / 2);
    framed.write(new byte[PREFIX], 0, PREFIX);
    if (compressed) {
      Requests.gzip(message, framed);
    } else {
      framed.write(message, 0, message.length);
    }
    byte[] bytes = framed.toByteArray();
    ByteBuffer.wrap(bytes).put((byte) (compressed ? 1 : 0)).putInt(bytes.length - PREFIX);
    return bytes;
  }

  private static SendResult result(HttpAnswer answer) {
    GrpcStatus status =
        answer
            .header("grpc-status")
            .map(GrpcStatus::parse)
            .orElseGet(() -> GrpcStatus.ofHttp(answer.status()));
    if (status == GrpcStatus.OK) {
      byte[] body = answer.body();
      return Answers.delivered(body, Math.min(PREFIX, body.length), body.length);
    }
    Answers.Status details =
        answer
            .header("grpc-status-details-bin")
            .flatMap(GrpcSender::details)
            .orElse(new Answers.Status("", Optional.empty()));
    String message =
        answer.header("grpc-message").map(GrpcSender::decoded).orElse(details.message());
    String reason = "gRPC status " + status + (message.isEmpty() ? "" : ": " + message);
    return status.isRetryable(details.retryDelay().isPresent())
        ? new SendResult.Retry(reason, details.retryDelay())
        : new SendResult.Rejected(reason);
  }

  private static Optional<Answers.Status> details(String base64) {
    try {
      return Optional.of(Answers.status(Base64.getDecoder().decode(base64)));
    } catch (IllegalArgumentException | IOException e) {
      return Optional.empty();
    }
  }

  /** Percent-encoded, but a receiver must take it as it is where it is not. */
  private static String decoded(String message) {
    try {
      return Answers.printable(PercentEncoding.decode(message));
    } catch (IllegalArgumentException e) {
      return Answers.printable(message);
    }
  }

  @Override
  public void disconnect() {
    transport.disconnect();
  }

  @Override
  public void close() {
    transport.close();
  }
}
