/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.protobuf.StringValue;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsPartialSuccess;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceResponse;
import java.io.IOException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.assertj.core.api.Assertions;

/** The answers of collectors, written by the official classes and by nobody in particular. */
class AnswersPropertyTest {
  @Property
  void aPartialSuccessSaysHowManyAndWhy(@ForAll long rejected, @ForAll String message) {
    byte[] bytes =
        ExportLogsServiceResponse.newBuilder()
            .setPartialSuccess(
                ExportLogsPartialSuccess.newBuilder()
                    .setRejectedLogRecords(rejected)
                    .setErrorMessage(wellFormed(message)))
            .build()
            .toByteArray();
    assertThat(Answers.delivered(bytes, 0, bytes.length))
        .isEqualTo(new SendResult.Delivered(rejected, Answers.printable(wellFormed(message))));
  }

  @Property
  void aStatusSaysWhyAndWhenToTryAgain(
      @ForAll String message,
      @ForAll @LongRange(max = 1_000_000) long seconds,
      @ForAll @IntRange(max = 999_999_999) int nanos)
      throws IOException {
    byte[] bytes =
        Status.newBuilder()
            .setCode(8)
            .setMessage(wellFormed(message))
            .addDetails(Any.pack(StringValue.of("something else")))
            .addDetails(
                Any.pack(
                    RetryInfo.newBuilder()
                        .setRetryDelay(Duration.newBuilder().setSeconds(seconds).setNanos(nanos))
                        .build()))
            .build()
            .toByteArray();
    Answers.Status status = Answers.status(bytes);
    assertThat(status.message()).isEqualTo(Answers.printable(wellFormed(message)));
    assertThat(status.retryDelay()).contains(java.time.Duration.ofSeconds(seconds, nanos));
  }

  @Property
  void anyBytesAreTakenForAnAnswer(@ForAll byte[] bytes) {
    assertThat(Answers.delivered(bytes, 0, bytes.length)).isNotNull();
    try {
      assertThat(Answers.status(bytes)).isNotNull();
    } catch (IOException e) {
      Assertions.assertThat(e).hasMessageContaining("byte");
    }
  }

  @Property
  void whatIsPrintedIsOneShortLine(@ForAll String text) {
    assertThat(Answers.printable(text))
        .hasSizeLessThanOrEqualTo(301)
        .doesNotMatch("(?s).*\\p{Cntrl}.*");
  }

  /** Without lone surrogates, which no protobuf holds. */
  private static String wellFormed(String text) {
    return new String(
        text.getBytes(java.nio.charset.StandardCharsets.UTF_8),
        java.nio.charset.StandardCharsets.UTF_8);
  }
}
