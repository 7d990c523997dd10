/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import dev.sennit.intake.Encoding;
import dev.sennit.viewer.http.Gzip;
import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One signal of OTLP over HTTP: a POST of protobuf or JSON, answered in the same. */
final class HttpExport implements Handler {
  private static final String PROTOBUF = "application/x-protobuf";
  private static final String JSON = "application/json";

  private final Service<?> service;
  private final Reception reception;
  private final Strangers strangers;

  HttpExport(Service<?> service, Reception reception, Strangers strangers) {
    this.service = service;
    this.reception = reception;
    this.strangers = strangers;
  }

  @Override
  public void handle(ServerRequest request, ServerResponse response) {
    @Nullable Encoding encoding = encoding(request);
    try {
      Encoding known = check(request, encoding);
      boolean gzip = gzip(request);
      var answer =
          reception.receive(
              service, known, request.content().inputStream(), body -> body.whole(gzip));
      send(request, response, 200, known, known.write(answer));
    } catch (RefusedException e) {
      refuse(request, response, encoding, e);
    } catch (CloseConnectionException e) {
      throw e;
    } catch (RuntimeException | OutOfMemoryError e) {
      refuse(request, response, encoding, Faults.of(service, e));
    }
  }

  private Encoding check(ServerRequest request, @Nullable Encoding encoding)
      throws RefusedException {
    strangers.check(request);
    if (!request.prologue().method().equals(Method.POST)) {
      throw Refusal.WRONG_METHOD.because(
          "method " + request.prologue().method().text() + " is not allowed; use POST");
    }
    if (encoding == null) {
      throw Refusal.UNREADABLE.because(
          "the content type must be "
              + PROTOBUF
              + " or "
              + JSON
              + ", not "
              + request.headers().first(HeaderNames.CONTENT_TYPE).orElse("missing"));
    }
    return encoding;
  }

  private static @Nullable Encoding encoding(ServerRequest request) {
    String type = request.headers().first(HeaderNames.CONTENT_TYPE).orElse("");
    int semicolon = type.indexOf(';');
    return switch ((semicolon < 0 ? type : type.substring(0, semicolon))
        .strip()
        .toLowerCase(Locale.ROOT)) {
      case PROTOBUF -> Encoding.PROTOBUF;
      case JSON -> Encoding.JSON;
      default -> null;
    };
  }

  private static boolean gzip(ServerRequest request) throws RefusedException {
    String encoding = request.headers().first(HeaderNames.CONTENT_ENCODING).orElse("").strip();
    return switch (encoding.toLowerCase(Locale.ROOT)) {
      case "", "identity" -> false;
      case "gzip" -> true;
      default ->
          throw Refusal.UNREADABLE.because(
              "the content encoding must be gzip or none, not " + encoding);
    };
  }

  private static void refuse(
      ServerRequest request,
      ServerResponse response,
      @Nullable Encoding encoding,
      RefusedException refused) {
    if (refused.refusal() == Refusal.WRONG_METHOD) {
      response.header(HeaderNames.ALLOW, "POST");
    }
    @Nullable Duration after = refused.after();
    if (after != null) {
      long seconds = Math.max(1, after.plusMillis(999).toSeconds());
      response.header(HeaderNames.RETRY_AFTER, Long.toString(seconds));
    }
    Encoding known = encoding == null ? Encoding.JSON : encoding;
    send(request, response, refused.refusal().httpStatus(), known, RpcStatus.of(refused, known));
  }

  private static void send(
      ServerRequest request, ServerResponse response, int status, Encoding encoding, byte[] body) {
    response.status(Status.create(status));
    response.header(HeaderNames.CONTENT_TYPE, encoding == Encoding.JSON ? JSON : PROTOBUF);
    response.send(Gzip.ifAccepted(request, response, body));
  }
}
