/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.apache.hc.core5.http.HttpRequest;

/** OTLP/HTTP with protobuf: OTLP specification, section "OTLP/HTTP". */
final class HttpSender implements OtlpSender {
  private static final String PROTOBUF = "application/x-protobuf";

  private final ExportSettings settings;
  private final HttpTransport transport;
  private final String path;

  HttpSender(ExportSettings settings) {
    this.settings = settings;
    this.transport = new HttpTransport(settings);
    String rawPath = settings.endpoint().getRawPath();
    String query = settings.endpoint().getRawQuery();
    this.path = (rawPath.isEmpty() ? "/" : rawPath) + (query == null ? "" : "?" + query);
  }

  @Override
  public SendResult send(byte[] message) {
    HttpRequest request = Requests.post(transport, path, settings);
    request.setHeader("content-type", PROTOBUF);
    byte[] body = message;
    if (settings.compression() == Compression.GZIP) {
      request.setHeader("content-encoding", "gzip");
      ByteArrayOutputStream compressed = new ByteArrayOutputStream();
      Requests.gzip(message, compressed);
      body = compressed.toByteArray();
    }
    try {
      return result(transport.exchange(request, body));
    } catch (NoAnswerException e) {
      return Requests.unanswered(e);
    }
  }

  private static SendResult result(HttpAnswer answer) {
    if (answer.status() / 100 == 2) {
      // The specification knows 200 alone; some who take OTLP answer 202 or 204.
      return Answers.delivered(answer.body(), 0, answer.body().length);
    }
    return switch (answer.status()) {
      case 429, 502, 503, 504 ->
          new SendResult.Retry(
              reason(answer), answer.header("retry-after").flatMap(HttpSender::retryAfter));
      default -> new SendResult.Rejected(reason(answer));
    };
  }

  /** The body of a failure is a {@code google.rpc.Status}, or what some proxy had to say. */
  private static String reason(HttpAnswer answer) {
    String text;
    if (answer.header("content-type").orElse("").startsWith(PROTOBUF)) {
      try {
        text = Answers.status(answer.body()).message();
      } catch (IOException e) {
        text = "";
      }
    } else {
      text = Answers.printable(new String(answer.body(), StandardCharsets.UTF_8));
    }
    return "HTTP status " + answer.status() + (text.isEmpty() ? "" : ": " + text);
  }

  /** Seconds or a date: RFC 9110, section 10.2.3. */
  static Optional<Duration> retryAfter(String value) {
    try {
      Duration wait =
          value.chars().allMatch(Character::isDigit)
              ? Duration.ofSeconds(Long.parseLong(value))
              : Duration.between(
                  Instant.now(), DateTimeFormatter.RFC_1123_DATE_TIME.parse(value, Instant::from));
      return Optional.of(wait.isNegative() ? Duration.ZERO : wait);
    } catch (DateTimeException | NumberFormatException | ArithmeticException e) {
      return Optional.empty();
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
