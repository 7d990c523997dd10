/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.agent.boot.AgentJvm;
import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.thread.ContextApi;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** An SDK that is not to make spans leaves it to Sennit's agent to say what threads are doing. */
@Requires
class DisabledSdkTest {
  /** An application with an SDK, whose thread does work that the SDK knows nothing of. */
  static final class Application {
    public static void main(String[] arguments) throws Exception {
      AutoConfiguredOpenTelemetrySdk.initialize();
      ContextApi.setOtel(1, 2, 3, 1);
      SpanContext callers =
          SpanContext.createFromRemoteParent(
              "0af7651916cd43dd8448eb211c80319c",
              "b7ad6b7169203331",
              TraceFlags.getSampled(),
              TraceState.getDefault());
      try (Scope _ = Span.wrap(callers).makeCurrent()) {
        System.out.println("passing on " + ContextApi.spanId());
      }
      System.out.println("afterwards " + ContextApi.spanId());
      try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
        ContextApi.setOtel(1, 2, 3, 1);
        System.out.println("handed off " + pool.submit(ContextApi::spanId).get());
      }
      System.in.read();
    }
  }

  private static ChildProcess start(boolean disabled) {
    List<String> options = new ArrayList<>(ExtendedJvm.SENDING_NOTHING);
    options.addAll(
        List.of(
            AgentJvm.agent("ctxstorage=otel,handoff"),
            "-Dotel.service.name=checkout",
            "-Dotel.sdk.disabled=" + disabled));
    return ExtendedJvm.withSdk(options, Application.class);
  }

  @Test
  void theAgentGoesOnFollowingWork() {
    try (ChildProcess application = start(true)) {
      assertThat(application.expect("passing on ")).isEqualTo("3");
      assertThat(application.expect("afterwards ")).isEqualTo("3");
      assertThat(application.expect("handed off ")).isEqualTo("3");

      ProcessContext context = ExtendedJvm.contextOf(application);
      assertThat(context.resource())
          .containsEntry("service.name", AttributeValue.of("checkout"))
          .containsEntry("telemetry.sdk.name", AttributeValue.of("opentelemetry"));
      assertThat(context.attributes()).doesNotContainKey("sennit.span_source");
    }
  }

  @Test
  void anSdkThatMakesSpansTakesOver() {
    try (ChildProcess application = start(false)) {
      assertThat(application.expect("passing on "))
          .isEqualTo(Long.toString(Long.parseUnsignedLong("b7ad6b7169203331", 16)));
      assertThat(application.expect("afterwards ")).isEqualTo("0");
      assertThat(application.expect("handed off ")).isEqualTo("0");

      assertThat(ExtendedJvm.contextOf(application).attributes())
          .containsEntry("sennit.span_source", AttributeValue.of("sdk"));
    }
  }
}
