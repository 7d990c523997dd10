/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sennit.testing.Requires;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What holds in every storage mode. */
@Requires
abstract class ContextApiContract {
  static final long TRACE_HIGH = 0x0123456789ABCDEFL;
  static final long TRACE_LOW = 0xFEDCBA9876543210L;
  static final long SPAN = 0x8877665544332211L;
  static final long ROOT = 0x1020304050607080L;

  final ContextSnapshot snapshot = new ContextSnapshot();

  abstract ContextStorageMode mode();

  @BeforeEach
  void initialize() {
    assertThat(ContextApi.initialize(ContextOptions.of(mode()))).isTrue();
  }

  @AfterEach
  void shutdown() {
    ContextApi.shutdown();
  }

  @Test
  void whatIsSetIsRead() {
    ContextApi.setOtel(TRACE_HIGH, TRACE_LOW, SPAN, 0x01);
    assertThat(ContextApi.get(snapshot)).isTrue();
    assertSnapshot(TRACE_HIGH, TRACE_LOW, SPAN, TRACE_LOW, 1);
  }

  @Test
  void theLastOneCounts() {
    for (long i = 1; i <= 1_000; i++) {
      ContextApi.setOtel(i, -i, i << 32, (int) i & 0xFF);
      assertThat(ContextApi.get(snapshot)).isTrue();
      assertSnapshot(i, -i, i << 32, -i, (int) i & 0xFF);
    }
  }

  @Test
  void sixtyFourBitIdsPutTheRootIntoTheLowerHalfOfTheTraceIdAndCountAsSampled() {
    ContextApi.set(SPAN, ROOT);
    assertThat(ContextApi.get(snapshot)).isTrue();
    assertSnapshot(0, ROOT, SPAN, ROOT, 1);
  }

  @Test
  void aThreadWithoutContextHasNone() {
    assertThat(ContextApi.get(snapshot)).isFalse();
    assertThat(snapshot.isNone()).isTrue();
  }

  @Test
  void clearingLeavesNone() {
    ContextApi.setOtel(TRACE_HIGH, TRACE_LOW, SPAN, 1);
    ContextApi.clear();
    assertThat(ContextApi.get(snapshot)).isFalse();
    assertThat(snapshot.isNone()).isTrue();
    assertThat(ThreadContext.current().getSpanId()).isZero();
    assertThat(ThreadContext.current().getRootSpanId()).isZero();
  }

  @Test
  void settingZerosIsClearing() {
    ContextApi.setOtel(TRACE_HIGH, TRACE_LOW, SPAN);
    ContextApi.set(0, 0);
    assertThat(ContextApi.get(snapshot)).isFalse();
  }

  @Test
  void threadContextPutsAndGets() {
    ThreadContext context = ThreadContext.current();
    long checksum = context.put(SPAN, ROOT);
    assertThat(checksum).isNotZero().isEqualTo(context.put(SPAN, ROOT));
    assertThat(context.put(SPAN + 1, ROOT)).isNotEqualTo(checksum);
    context.put(SPAN, ROOT);
    assertThat(context.getSpanId()).isEqualTo(SPAN);
    assertThat(context.getRootSpanId()).isEqualTo(ROOT);
    assertThat(ThreadContext.isOtelMode()).isEqualTo(mode() == ContextStorageMode.OTEL);
  }

  @Test
  void threadsDoNotSeeEachOther() throws InterruptedException {
    ContextApi.setOtel(TRACE_HIGH, TRACE_LOW, SPAN, 1);
    AtomicReference<String> seen = new AtomicReference<>("nothing");
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  ContextSnapshot own = new ContextSnapshot();
                  boolean before = ContextApi.get(own);
                  ContextApi.setOtel(1, 2, 3, 0);
                  ContextApi.get(own);
                  seen.set(before + " " + own);
                });
    other.join();
    assertThat(seen.get())
        .isEqualTo(
            "false 00000000000000010000000000000002-0000000000000003-00 "
                + "(root 0000000000000002)");
    assertThat(ContextApi.get(snapshot)).isTrue();
    assertSnapshot(TRACE_HIGH, TRACE_LOW, SPAN, TRACE_LOW, 1);
  }

  @Test
  void theModeIsNotSwitchedWhileRunning() {
    for (ContextStorageMode another : ContextStorageMode.values()) {
      // No reader outside relies on mode profiler: ModeReplacementTest has what becomes of it.
      if (another != mode() && mode() != ContextStorageMode.PROFILER) {
        assertThatThrownBy(() -> ContextApi.initialize(ContextOptions.of(another)))
            .isInstanceOf(IllegalStateException.class)
            .hasMessage(
                "ctxstorage=%s was chosen at start and cannot be switched to %s while running",
                mode().optionValue(), another.optionValue());
      }
    }
    assertThat(ContextApi.getMode()).isEqualTo(mode());
    assertThat(ContextApi.initialize(ContextOptions.of(mode()))).isTrue();
  }

  @Test
  void afterShutdownNothingHappens() {
    ContextApi.setOtel(TRACE_HIGH, TRACE_LOW, SPAN, 1);
    ContextApi.shutdown();
    assertThat(ContextApi.isInitialized()).isFalse();
    assertThat(ContextApi.get(snapshot)).isFalse();
    ContextApi.setOtel(TRACE_HIGH, TRACE_LOW, SPAN, 1);
    ContextApi.clear();
    assertThat(ContextApi.setAttribute("http.route", "/"))
        .isEqualTo(AttributeOutcome.NOT_IN_THIS_MODE);
    ContextApi.shutdown();
    assertThatThrownBy(() -> ContextApi.announce("http.route"))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aRestartBeginsWithNothing() {
    ContextApi.setOtel(TRACE_HIGH, TRACE_LOW, SPAN, 1);
    ContextApi.shutdown();
    ContextApi.initialize(ContextOptions.of(mode()));
    assertThat(ContextApi.get(snapshot)).isFalse();
  }

  @Test
  void anUnannouncedKeyIsRefused() {
    if (mode() != ContextStorageMode.OTEL) {
      assertThat(ContextApi.setAttribute("http.route", "/"))
          .isEqualTo(AttributeOutcome.KEY_NOT_ANNOUNCED);
    }
    assertThat(ContextApi.setAttribute(new AttributeKey("http.route", 7), "/"))
        .isEqualTo(AttributeOutcome.KEY_NOT_ANNOUNCED);
    assertThat(ContextApi.getAttribute(new AttributeKey("http.route", -1))).isNull();
  }

  @Test
  void aKeyHasOneIndexForGood() {
    AttributeKey route = ContextApi.announce("http.route");
    AttributeKey user = ContextApi.announce("user.id");
    assertThat(user.index()).isEqualTo(route.index() + 1);
    assertThat(ContextApi.announce("http.route")).isEqualTo(route);
  }

  void assertSnapshot(long traceHigh, long traceLow, long span, long root, int flags) {
    assertThat(snapshot.traceIdHigh()).isEqualTo(traceHigh);
    assertThat(snapshot.traceIdLow()).isEqualTo(traceLow);
    assertThat(snapshot.spanId()).isEqualTo(span);
    assertThat(snapshot.rootSpanId()).isEqualTo(root);
    assertThat(snapshot.flags()).isEqualTo(flags);
  }
}
