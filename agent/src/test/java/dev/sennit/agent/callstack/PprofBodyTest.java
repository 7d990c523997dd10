/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import dev.sennit.agent.callstack.ThreadDump.Entry;
import dev.sennit.agent.callstack.ThreadStack.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Read back by protobuf's own parser, with the field numbers of {@code profile.proto}. */
class PprofBodyTest {
  private static final StackFrame INNER = new StackFrame("a.B", "c", "B.java", 7);
  private static final StackFrame OUTER = new StackFrame("a.B", "d", "unknown", 0);

  @Test
  void hasASampleForEveryThreadWithTheLabelsOfTheConventions() throws IOException {
    ThreadDump dump =
        new ThreadDump(
            1_700_000_000_123_456_789L,
            List.of(
                new Entry(thread("線", 5, List.of(INNER, OUTER)), new SpanIds(1, 2, 3, 1)),
                new Entry(thread("other", 6, List.of(OUTER)), SpanIds.NONE)),
            2);

    UnknownFieldSet profile = decode(PprofBody.of(dump, 1000));

    List<String> strings =
        profile.getField(6).getLengthDelimitedList().stream()
            .map(ByteString::toStringUtf8)
            .toList();
    assertThat(strings.getFirst()).isEmpty();
    List<UnknownFieldSet> samples = messages(profile, 2);
    assertThat(samples).hasSize(2);
    assertThat(labels(samples.get(0), strings))
        .containsEntry("source.event.time", "1700000000123")
        .containsEntry("source.event.period", "1000")
        .containsEntry("source.event.name", "ThreadDump")
        .containsEntry("thread.id", "5")
        .containsEntry("thread.name", "線")
        .containsEntry("thread.os.id", "99")
        .containsEntry("thread.state", "RUNNABLE")
        .containsEntry("thread.stack.truncated", "true")
        .containsEntry("trace_id", "00000000000000010000000000000002")
        .containsEntry("span_id", "0000000000000003");
    assertThat(labels(samples.get(1), strings))
        .doesNotContainKeys("trace_id", "span_id", "thread.stack.truncated");
    assertThat(frames(samples.get(0), profile, strings))
        .containsExactly("a.B.c(B.java:7)", "a.B.d(unknown:0)");
    assertThat(frames(samples.get(1), profile, strings)).containsExactly("a.B.d(unknown:0)");
  }

  private static ThreadStack thread(String name, long number, List<StackFrame> frames) {
    return new ThreadStack(
        name, Kind.PLATFORM, number, 5, 0, "1ms", "1s", 1, 99, "runnable", "RUNNABLE", frames);
  }

  private static UnknownFieldSet decode(String body) throws IOException {
    byte[] zipped = Base64.getDecoder().decode(body);
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(zipped))) {
      return UnknownFieldSet.parseFrom(in.readAllBytes());
    }
  }

  private static List<UnknownFieldSet> messages(UnknownFieldSet message, int field) {
    return message.getField(field).getLengthDelimitedList().stream()
        .map(PprofBodyTest::parse)
        .toList();
  }

  private static UnknownFieldSet parse(ByteString bytes) {
    try {
      return UnknownFieldSet.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private static long number(UnknownFieldSet message, int field) {
    List<Long> values = message.getField(field).getVarintList();
    return values.isEmpty() ? 0 : values.getFirst();
  }

  private static Map<String, String> labels(UnknownFieldSet sample, List<String> strings) {
    Map<String, String> labels = new LinkedHashMap<>();
    for (UnknownFieldSet label : messages(sample, 3)) {
      long text = number(label, 2);
      labels.put(
          strings.get((int) number(label, 1)),
          text != 0 ? strings.get((int) text) : Long.toString(number(label, 3)));
    }
    return labels;
  }

  private static List<String> frames(
      UnknownFieldSet sample, UnknownFieldSet profile, List<String> strings) throws IOException {
    return sample
        .getField(1)
        .getLengthDelimitedList()
        .getFirst()
        .asReadOnlyByteBufferList()
        .stream()
        .flatMap(
            packed -> {
              java.util.stream.Stream.Builder<String> frames = java.util.stream.Stream.builder();
              while (packed.hasRemaining()) {
                frames.add(frame(packed.get(), profile, strings));
              }
              return frames.build();
            })
        .toList();
  }

  private static String frame(long id, UnknownFieldSet profile, List<String> strings) {
    UnknownFieldSet line = messages(byId(messages(profile, 4), id), 4).getFirst();
    UnknownFieldSet function = byId(messages(profile, 5), number(line, 1));
    return strings.get((int) number(function, 2))
        + "("
        + strings.get((int) number(function, 4))
        + ":"
        + number(line, 2)
        + ")";
  }

  private static UnknownFieldSet byId(List<UnknownFieldSet> messages, long id) {
    return messages.stream().filter(each -> number(each, 1) == id).findFirst().orElseThrow();
  }
}
