/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.reader.ProcessReading;
import dev.sennit.context.reader.ThreadReading;
import dev.sennit.context.reader.ThreadRecord;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContextJsonTest {
  private static final ProcessReading.Published CHECKOUT =
      new ProcessReading.Published(
          2,
          123_456_789L,
          ProcessContext.builder()
              .resource("service.name", "checkout")
              .attribute("slots", AttributeValue.of(65_536))
              .build());

  @Test
  void theDocumentHasTheDocumentedForm() {
    ThreadRecord thread =
        new ThreadRecord(
            4712, "worker-1", 0x0af7651916cd43ddL, 0x8448eb211c80319cL, 0xb7L, 0x1L, 1, Map.of());
    String document =
        ContextJson.document(
            new ContextReport(4711, CHECKOUT, new ThreadReading.Threads(List.of(thread), 0)));
    assertThat(document)
        .isEqualTo(
            "{\"pid\":4711,\"process\":{\"version\":2,\"publishedAtNs\":123456789,"
                + "\"resource\":{\"service.name\":\"checkout\"},\"attributes\":{\"slots\":65536}},"
                + "\"threads\":[{\"tid\":4712,\"name\":\"worker-1\","
                + "\"traceId\":\"0af7651916cd43dd8448eb211c80319c\","
                + "\"spanId\":\"00000000000000b7\",\"rootSpanId\":\"0000000000000001\","
                + "\"flags\":1,\"attributes\":{}}]}");
  }

  @Test
  void threadsThatNobodyAskedForAreNotMentioned() {
    JsonObject document =
        JsonObject.parse(ContextJson.document(new ContextReport(4711, CHECKOUT, null)));
    assertThat(document.members()).containsOnlyKeys("pid", "process");
  }

  @Test
  void threadsThatCannotBeReadAreNullAndTheProblemIsNamed() {
    JsonObject document =
        JsonObject.parse(
            ContextJson.document(
                new ContextReport(
                    4711, CHECKOUT, new ThreadReading.Unavailable("not from outside"))));
    assertThat(document.isNull("threads")).isTrue();
    assertThat(document.text("problem")).isEqualTo("not from outside");
  }

  @Test
  void aProcessThatPublishesNothingHasANullRecord() {
    JsonObject document =
        JsonObject.parse(
            ContextJson.document(new ContextReport(4711, new ProcessReading.NotPublished(), null)));
    assertThat(document.isNull("process")).isTrue();
    assertThat(document.text("problem")).isEqualTo("process 4711 publishes no context");
  }

  @Test
  void everyKindOfValueIsWhatJsonHasForIt() {
    ProcessContext context =
        ProcessContext.builder()
            .resource("text", "a\"b\u001b\u009b\u202eü🧶")
            .resource("flag", AttributeValue.of(true))
            .resource("whole", AttributeValue.of(Long.MIN_VALUE))
            .resource("real", AttributeValue.of(0.1))
            .resource("nan", AttributeValue.of(Double.NaN))
            .resource("infinity", AttributeValue.of(Double.NEGATIVE_INFINITY))
            .resource("bytes", AttributeValue.of(new byte[] {0, (byte) 0xff, 0x10}))
            .resource("empty", new AttributeValue.Empty())
            .resource("array", AttributeValue.of(List.of(AttributeValue.of(1), text("x"))))
            .resource("entries", AttributeValue.of(Map.of("k", AttributeValue.of(List.of()))))
            .build();
    String document =
        ContextJson.document(
            new ContextReport(1, new ProcessReading.Published(2, 1, context), null));
    assertThat(document).as("one line of ASCII").matches("[ -~]+");
    assertThat(JsonObject.parse(document).object("process").object("resource"))
        .hasToString(
            "{text=a\"b\u001b\u009b\u202eü🧶, flag=true, whole=-9223372036854775808, real=0.1,"
                + " nan=NaN, infinity=-Infinity, bytes=AP8Q, empty=null, array=[1, x],"
                + " entries={k=[]}}");
  }

  private static AttributeValue text(String value) {
    return AttributeValue.of(value);
  }
}
