/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.Message;
import dev.sennit.intake.Encoding;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Locale;

/**
 * One signal of OTLP over gRPC. A unary call is a POST over HTTP/2 with one message, answered with
 * one message and, in the trailers, a status; the HTTP status is 200 whatever the call's is.
 */
final class GrpcExport implements Handler {
  private static final HeaderName ENCODING = HeaderNames.create("grpc-encoding");
  private static final HeaderName ACCEPT_ENCODING = HeaderNames.create("grpc-accept-encoding");
  private static final HeaderName STATUS = HeaderNames.create("grpc-status");
  private static final HeaderName MESSAGE = HeaderNames.create("grpc-message");
  private static final HeaderName DETAILS = HeaderNames.create("grpc-status-details-bin");

  private final Service<?> service;
  private final Reception reception;
  private final Strangers strangers;

  GrpcExport(Service<?> service, Reception reception, Strangers strangers) {
    this.service = service;
    this.reception = reception;
    this.strangers = strangers;
  }

  /** Whether a request is a call of gRPC, be it for a method that is known or not. */
  static boolean isCall(ServerRequest request) {
    String type = request.headers().first(HeaderNames.CONTENT_TYPE).orElse("");
    return request.prologue().method().equals(Method.POST)
        && request.prologue().protocolVersion().startsWith("2")
        && (type.equals("application/grpc")
            || type.startsWith("application/grpc+proto")
            || type.startsWith("application/grpc;"));
  }

  @Override
  public void handle(ServerRequest request, ServerResponse response) {
    if (!isCall(request)) {
      response
          .status(Status.UNSUPPORTED_MEDIA_TYPE_415)
          .send("gRPC is a POST of application/grpc over HTTP/2\n");
      return;
    }
    try {
      strangers.check(request);
      boolean gzip = gzip(request);
      Message answer =
          reception.receive(
              service,
              Encoding.PROTOBUF,
              request.content().inputStream(),
              body -> body.onlyMessage(gzip));
      begin(response);
      response.trailers().set(STATUS, "0");
      response.send(framed(answer));
    } catch (RefusedException e) {
      refuse(response, e);
    } catch (CloseConnectionException e) {
      throw e;
    } catch (RuntimeException | OutOfMemoryError e) {
      refuse(response, Faults.of(service, e));
    }
  }

  private static boolean gzip(ServerRequest request) throws RefusedException {
    String encoding = request.headers().first(ENCODING).orElse("").strip();
    return switch (encoding.toLowerCase(Locale.ROOT)) {
      case "", "identity" -> false;
      case "gzip" -> true;
      default ->
          throw Refusal.UNREADABLE.because("grpc-encoding must be gzip or none, not " + encoding);
    };
  }

  private static byte[] framed(Message message) {
    byte[] bytes = message.toByteArray();
    return ByteBuffer.allocate(5 + bytes.length)
        .put((byte) 0)
        .putInt(bytes.length)
        .put(bytes)
        .array();
  }

  private static void begin(ServerResponse response) {
    response.status(Status.OK_200);
    response.header(HeaderNames.CONTENT_TYPE, "application/grpc");
    response.header(ACCEPT_ENCODING, "gzip,identity");
    // Without it Helidon sends no trailers.
    response.header(HeaderNames.TRAILER, STATUS.defaultCase());
  }

  static void refuse(ServerResponse response, RefusedException refused) {
    begin(response);
    response.trailers().set(STATUS, Integer.toString(refused.refusal().grpcStatus()));
    response.trailers().set(MESSAGE, percentEncoded(refused.text()));
    if (refused.after() != null) {
      byte[] details = RpcStatus.of(refused, Encoding.PROTOBUF);
      response
          .trailers()
          .set(DETAILS, Base64.getEncoder().withoutPadding().encodeToString(details));
    }
    response.send(new byte[0]);
  }

  /** gRPC over HTTP2: all but printable ASCII is encoded, and the percent sign. */
  private static String percentEncoded(String text) {
    StringBuilder encoded = new StringBuilder();
    for (byte value : text.getBytes(UTF_8)) {
      if (value >= ' ' && value < 127 && value != '%') {
        encoded.append((char) value);
      } else {
        encoded.append(String.format(Locale.ROOT, "%%%02X", value));
      }
    }
    return encoded.toString();
  }
}
