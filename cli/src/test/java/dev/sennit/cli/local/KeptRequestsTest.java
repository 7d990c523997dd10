/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.intake.Answer;
import dev.sennit.intake.TelemetrySink;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class KeptRequestsTest {
  /** Says for a while that it has no room. */
  private static final class Full implements TelemetrySink {
    final AtomicInteger spans = new AtomicInteger();
    final AtomicInteger lines = new AtomicInteger();
    final CountDownLatch room = new CountDownLatch(1);

    @Override
    public Answer traces(ExportTraceServiceRequest request) {
      if (room.getCount() > 0) {
        return new Answer.Later(Duration.ofMillis(1), "full");
      }
      spans.addAndGet(request.getResourceSpansCount());
      return Answer.TAKEN;
    }

    @Override
    public Answer logs(ExportLogsServiceRequest request) {
      lines.incrementAndGet();
      return Answer.TAKEN;
    }

    @Override
    public Answer profiles(ExportProfilesServiceRequest request) {
      throw new AssertionError("nobody observes profiles");
    }
  }

  private static byte[] request() {
    return ExportTraceServiceRequest.newBuilder()
        .addResourceSpans(ResourceSpans.newBuilder().setSchemaUrl("x".repeat(1 << 20)))
        .build()
        .toByteArray();
  }

  @Test
  void whatFindsNoRoomNowIsKeptLaterAndWhatIsTooMuchIsCounted() throws Exception {
    Full store = new Full();
    KeptRequests kept = new KeptRequests(store);
    byte[] request = request();
    int sent = 100;
    for (int i = 0; i < sent; i++) {
      kept.spans(request);
    }
    kept.records(ExportLogsServiceRequest.getDefaultInstance().toByteArray());
    // 64 MiB wait at most, beside the one that is being kept.
    assertThat(kept.dropped()).isBetween(sent - 65L, sent - 63L);
    store.room.countDown();
    kept.flush();

    assertThat(store.spans.get() + kept.dropped()).isEqualTo(sent);
    assertThat(store.lines).hasValue(1);
    kept.close();
    kept.spans(request);
    assertThat(store.spans.get() + kept.dropped()).isEqualTo(sent + 1);
  }
}
